"""Spans of the client library, read back as observations."""

import datetime

import pytest
from langfuse import observe, propagate_attributes

from support import condition, unique

# In the order of nesting; an event has no inside, so it comes last.
TYPES = ["span", "generation", "embedding", "agent", "tool", "chain", "retriever", "evaluator", "guardrail"]


@pytest.mark.feature("every type of observation, nested")
def test_nested_trace_of_every_type(client, read):
    trace_id = nest(client, TYPES)
    client.flush()

    rows = read.observations(trace_id=trace_id)
    assert {name: row.type for name, row in rows.items()} == {f"a {each}": each.upper() for each in [*TYPES, "event"]}
    parent = None
    for each in [*TYPES, "event"]:
        row = rows[f"a {each}"]
        assert row.parent_observation_id == parent, each
        assert row.is_root_observation is (parent is None), each
        assert (row.input, row.output) == (f"into {each}", f"out of {each}")
        assert row.end_time >= row.start_time
        parent = row.id

    assert rows["a span"].trace_name == "a span"
    assert set(read.observations(trace_id=trace_id, type="TOOL")) == {"a tool"}
    assert set(read.observations(trace_id=trace_id, is_root_observation=True)) == {"a span"}
    assert set(read.observations(trace_id=trace_id, parent_observation_id=rows["a tool"].id)) == {"a chain"}
    assert len(read.observations(trace_id=trace_id, limit=3)) == 10, "the rows of all pages"


def nest(client, types):
    if not types:
        client.create_event(name="a event", input="into event", output="out of event")
        return client.get_current_trace_id()
    with client.start_as_current_observation(
            as_type=types[0], name=f"a {types[0]}", input=f"into {types[0]}", output=f"out of {types[0]}"):
        return nest(client, types[1:])


@pytest.mark.feature("every type of observation, nested")
def test_decorated_functions(weir, client, read):
    name = unique("decorated")

    @observe(name=name, as_type="agent")
    def outer(question):
        return {"answer": inner(question, langfuse_public_key=weir.public_key)}

    @observe(name=name + "-inner", as_type="tool")
    def inner(question):
        return question.upper()

    outer("wie geht's?", langfuse_public_key=weir.public_key)
    client.flush()
    row = read.observation(name=name)
    assert (row.type, row.output) == ("AGENT", '{"answer": "WIE GEHT\'S?"}')
    assert read.observation(name=name + "-inner").parent_observation_id == row.id


@pytest.mark.feature("user, session, tags, version, release, environment")
def test_trace_attributes(client, read):
    user, session = unique("user-ünï"), unique("session")
    with propagate_attributes(
            user_id=user, session_id=session, tags=["b", "a", "日本"], version="v1.2", trace_name="checkout flow",
            metadata={"tenant": "acme", "region": "größe"}):
        with client.start_as_current_observation(name="root") as root:
            with client.start_as_current_observation(name="child"):
                pass
    client.flush()

    rows = read.observations(user_id=user)
    assert set(rows) == {"root", "child"}
    for row in rows.values():
        assert (row.user_id, row.session_id) == (user, session)
        assert sorted(row.tags) == ["a", "b", "日本"]
        assert (row.version, row.release, row.environment) == ("v1.2", "release-9", "conformance")
        assert row.trace_name == "checkout flow"
        assert (row.metadata["tenant"], row.metadata["region"]) == ("acme", "größe")
    for parameters in (
            {"session_id": session}, {"version": "v1.2", "user_id": user}, {"environment": ["conformance", "other"], "user_id": user}):
        assert set(read.observations(**parameters)) == {"root", "child"}, parameters
    assert read.observations(environment="other", user_id=user) == {}
    for tag_condition, found in (
            (condition("arrayOptions", "tags", "any of", ["a", "none"]), True),
            (condition("arrayOptions", "tags", "all of", ["a", "日本"]), True),
            (condition("arrayOptions", "tags", "none of", ["a"]), False)):
        rows = read.observations(tag_condition, condition("string", "userId", "=", user))
        assert set(rows) == ({"root", "child"} if found else set()), tag_condition
    assert client.get_trace_url(trace_id=root.trace_id).endswith(f"/project/default/traces/{root.trace_id}")


@pytest.mark.feature("user, session, tags, version, release, environment")
def test_public_trace_and_remote_parent(client, read):
    trace_id = client.create_trace_id(seed=unique("seed"))
    with client.start_as_current_observation(name="entered", trace_context={"trace_id": trace_id}) as span:
        span.set_trace_as_public()
    client.flush()
    row = read.observation(trace_id=trace_id)
    assert row.public is True
    # The library invents a parent that never arrives.
    assert row.is_root_observation is True


@pytest.mark.feature("generation: model, usage, cost")
def test_generation(client, read):
    start = datetime.datetime.now(datetime.timezone.utc)
    with client.start_as_current_observation(
            as_type="generation", name="call", model="gpt-4o", input=[{"role": "user", "content": "hi"}],
            model_parameters={"temperature": 0.7, "max_tokens": 100, "stop": "x"}) as generation:
        generation.update(
            output="hello", completion_start_time=start, version="gen-v",
            usage_details={"input": 10, "output": 20, "total": 30, "cache_read": 5},
            cost_details={"input": 0.001, "output": 0.002, "total": 0.003})
    client.flush()
    row = read.observation(trace_id=generation.trace_id)
    assert row.type == "GENERATION"
    assert row.model == "gpt-4o"
    assert row.model_parameters == {"temperature": 0.7, "max_tokens": 100, "stop": "x"}
    assert row.usage_details == {"input": 10, "output": 20, "total": 30, "cache_read": 5}
    assert row.cost_details == {"input": 0.001, "output": 0.002, "total": 0.003}
    assert row.total_cost == 0.003
    assert row.version == "gen-v"
    assert abs(row.completion_start_time - start) < datetime.timedelta(milliseconds=1)
    assert row.time_to_first_token is not None and row.latency is not None
    assert set(read.observations(
        condition("number", "totalTokens", ">=", 30), condition("string", "model", "=", "gpt-4o"),
        condition("string", "traceId", "=", generation.trace_id))) == {"call"}


@pytest.mark.feature("generation: model, usage, cost")
def test_generation_is_priced(client, read):
    with client.start_as_current_observation(as_type="generation", name="priced", model="gpt-4o") as generation:
        generation.update(usage_details={"prompt_tokens": 1000, "completion_tokens": 200, "total_tokens": 1200})
    client.flush()
    row = read.observation(trace_id=generation.trace_id)
    assert row.usage_details == {"input": 1000, "output": 200, "total": 1200}
    assert row.total_cost == pytest.approx(1000 * 2.5e-6 + 200 * 10e-6)
    assert row.input_price == "0.0000025"


@pytest.mark.feature("levels and errors")
def test_errors_and_levels(client, read):
    with pytest.raises(ValueError, match="kaput"):
        with client.start_as_current_observation(name="failing") as failing:
            raise ValueError("kaput")
    with client.start_as_current_observation(name="warned", level="WARNING", status_message="careful") as warned:
        pass
    client.flush()
    row = read.observation(trace_id=failing.trace_id)
    assert row.level == "ERROR"
    assert "kaput" in row.status_message
    row = read.observation(trace_id=warned.trace_id)
    assert (row.level, row.status_message) == ("WARNING", "careful")
    assert set(read.observations(trace_id=warned.trace_id, level="WARNING")) == {"warned"}
    assert read.observations(trace_id=warned.trace_id, level="ERROR") == {}


@pytest.mark.feature("events")
def test_event(client, read):
    with client.start_as_current_observation(name="around") as around:
        client.create_event(name="clicked", input={"x": 1}, metadata={"button": "ok"}, level="DEBUG")
    client.flush()
    row = read.observations(trace_id=around.trace_id)["clicked"]
    assert (row.type, row.input, row.level, row.metadata["button"]) == ("EVENT", '{"x": 1}', "DEBUG", "ok")
    assert row.end_time == row.start_time
    assert row.parent_observation_id == around.id


@pytest.mark.feature("trace deletion")
def test_trace_deletion(client, read):
    traces = []
    for _ in range(3):
        with client.start_as_current_observation(name=unique("doomed")) as span:
            span.score(name="doomed", value=1)
        traces.append(span.trace_id)
    client.flush()
    client.api.trace.delete(traces[0])
    assert read.observations(trace_id=traces[0]) == {}
    assert read.scores(trace_id=traces[0]) == {}
    client.api.trace.delete_multiple(trace_ids=[traces[1]])
    assert read.observations(trace_id=traces[1]) == {}
    assert len(read.observations(trace_id=traces[2])) == 1
    assert set(read.scores(trace_id=traces[2])) == {"doomed"}
