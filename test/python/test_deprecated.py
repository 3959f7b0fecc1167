"""Reads that the service calls deprecated and that the older generation of the client still has."""

import datetime
import json

import pytest
from langfuse import Evaluation, propagate_attributes
from langfuse.batch_evaluation import EvaluatorInputs

from support import MAJOR, an_hour_ago, condition, unique

pytestmark = [
    pytest.mark.feature("deprecated reads"),
    pytest.mark.skipif(MAJOR >= 5, reason="the newer generation does without"),
]


@pytest.fixture(scope="module")
def trace(client):
    user, session = unique("user"), unique("session")
    with propagate_attributes(user_id=user, session_id=session, tags=["b", "a"], trace_name="told", metadata={"tenant": "acme"}):
        with client.start_as_current_observation(name="root", input={"q": [1, 2]}, output="fine", metadata={"n": 7}) as root:
            root.set_trace_as_public()
            with client.start_as_current_observation(as_type="generation", name="call", model="gpt-4o") as generation:
                generation.update(usage_details={"input": 10, "output": 20}, cost_details={"total": 0.5})
            root.score(name="numeric", value=1)
            root.score_trace(name="category", value="good")
            root.score_trace(name="boolean", value=1, data_type="BOOLEAN")
            root.score_trace(name="output", value="better", data_type="CORRECTION")
    client.flush()
    return {"id": root.trace_id, "root": root.id, "generation": generation.id, "user": user, "session": session}


def test_trace(client, trace):
    got = client.api.trace.get(trace["id"])
    assert (got.id, got.name, got.user_id, got.session_id) == (trace["id"], "told", trace["user"], trace["session"])
    assert (got.tags, got.public, got.release, got.environment) == (["a", "b"], True, "release-9", "conformance")
    assert (got.input, got.output) == ({"q": [1, 2]}, "fine")
    assert (got.metadata["tenant"], got.metadata["n"]) == ("acme", 7)
    assert {each.name: each.type for each in got.observations} == {"root": "SPAN", "call": "GENERATION"}
    assert {each.name: each.value for each in got.scores} == {"numeric": 1, "category": 0, "boolean": 1}, "without the correction"
    assert got.total_cost == 0.5
    assert got.html_path == f"/project/default/traces/{trace['id']}"


def test_traces(client, trace):
    page = client.api.trace.list(user_id=trace["user"])
    assert page.meta.total_items == 1
    (got,) = page.data
    assert got.id == trace["id"]
    assert set(got.observations) == {trace["root"], trace["generation"]}
    assert len(got.scores) >= 3
    for found, parameters in (
            (True, {"session_id": trace["session"]}), (True, {"tags": ["a", "b"], "user_id": trace["user"]}),
            (False, {"tags": ["c"], "user_id": trace["user"]}), (True, {"name": "told", "user_id": trace["user"]}),
            (True, {"filter": json.dumps([condition("string", "userId", "=", trace["user"])])}),
            (False, {"environment": ["nowhere"], "user_id": trace["user"]})):
        assert client.api.trace.list(**parameters).meta.total_items == int(found), parameters


def test_observations(client, trace):
    got = client.api.legacy.observations_v1.get(trace["generation"])
    assert (got.name, got.type, got.model, got.parent_observation_id) == ("call", "GENERATION", "gpt-4o", trace["root"])
    assert (got.usage.input, got.usage.output, got.usage.total) == (10, 20, 30)
    assert got.usage_details == {"input": 10, "output": 20, "total": 30}
    assert got.calculated_total_cost == 0.5
    page = client.api.legacy.observations_v1.get_many(trace_id=trace["id"], type="GENERATION")
    assert [each.id for each in page.data] == [trace["generation"]]
    root = client.api.legacy.observations_v1.get(trace["root"])
    assert (root.input, root.output, root.metadata["n"]) == ({"q": [1, 2]}, "fine", 7)


def test_sessions(client, trace):
    got = client.api.sessions.get(trace["session"])
    assert (got.id, got.project_id, [each.id for each in got.traces]) == (trace["session"], "default", [trace["id"]])
    assert trace["session"] in {each.id for each in client.api.sessions.list(limit=100).data}


def test_scores(client, trace):
    page = client.api.scores.get_many(trace_id=trace["id"], limit=10)
    by_name = {each.name: each for each in page.data}
    assert set(by_name) >= {"numeric", "category", "boolean"}
    assert (by_name["category"].string_value, by_name["boolean"].string_value, by_name["numeric"].value) == ("good", "True", 1)
    assert client.api.scores.get_by_id(by_name["numeric"].id).observation_id == trace["root"]


def test_metrics(client, trace):
    later = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=1)
    rows = client.api.legacy.metrics_v1.metrics(query=json.dumps({
        "view": "traces", "metrics": [{"measure": "count", "aggregation": "count"}], "dimensions": [{"field": "name"}],
        "filters": [condition("string", "userId", "=", trace["user"])],
        "fromTimestamp": an_hour_ago().isoformat(), "toTimestamp": later.isoformat(),
    })).data
    assert [(row["name"], int(row["count_count"])) for row in rows] == [("told", 1)]


@pytest.mark.parametrize("of", ["trace", "observation", "score", "session"])
def test_unknown(client, of):
    get = {
        "trace": client.api.trace.get, "observation": client.api.legacy.observations_v1.get,
        "score": client.api.scores.get_by_id, "session": client.api.sessions.get,
    }[of]
    with pytest.raises(Exception) as raised:
        get(unique("unknown"))
    assert raised.value.status_code == 404


@pytest.mark.feature("batched evaluation")
def test_batched_evaluation(client, trace):
    result = client.run_batched_evaluation(
        scope="traces", filter=json.dumps([condition("string", "userId", "=", trace["user"])]),
        mapper=lambda *, item: EvaluatorInputs(input=item.input, output=item.output, expected_output=None, metadata=None),
        evaluators=[lambda *, output, **_: Evaluation(name="length", value=len(output))])
    client.flush()
    assert (result.completed, result.total_items_processed, result.total_scores_created) == (True, 1, 1)
    (score,) = client.api.scores.get_many(trace_id=trace["id"], name="length").data
    assert score.value == len("fine")
