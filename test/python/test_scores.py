"""Scores of every type on everything that can be scored."""

import datetime
import json

import pytest
from langfuse import Evaluation
from langfuse.batch_evaluation import EvaluatorInputs

from support import MAJOR, condition, unique

EVERY_TYPE = {
    "NUMERIC": (0.75, 0.75),
    "BOOLEAN": (1, True),
    "CATEGORICAL": ("good", "good"),
    "TEXT": ("reads well", "reads well"),
}


def subject(score):
    return {key: value for key, value in score.subject.model_dump().items() if value is not None}


@pytest.mark.feature("scores through the queue")
def test_every_type_on_a_trace(client, read):
    trace_id = client.create_trace_id()
    moment = datetime.datetime(2026, 3, 4, 5, 6, 7, 890000, tzinfo=datetime.timezone.utc)
    for kind, (value, _) in EVERY_TYPE.items():
        client.create_score(
            name=kind, value=value, data_type=kind, trace_id=trace_id, comment="größe", metadata={"by": ["me", 1]}, timestamp=moment)
    client.create_score(name="output", value="what it should say", data_type="CORRECTION", trace_id=trace_id)
    client.flush()

    scores = read.scores(trace_id=trace_id)
    assert set(scores) == {*EVERY_TYPE, "output"}
    for kind, (_, reading) in EVERY_TYPE.items():
        score = scores[kind]
        assert (score.data_type, score.value, score.source, score.comment) == (kind, reading, "API", "größe")
        assert (score.metadata, score.environment, score.timestamp) == ({"by": ["me", 1]}, "conformance", moment)
        assert subject(score) == {"kind": "trace", "id": trace_id}
    assert (scores["output"].data_type, scores["output"].value) == ("CORRECTION", "what it should say")

    assert set(read.scores(trace_id=trace_id, data_type="numeric,TEXT")) == {"NUMERIC", "TEXT"}
    assert set(read.scores(trace_id=trace_id, data_type="NUMERIC", value_min=0.75)) == {"NUMERIC"}
    assert read.scores(trace_id=trace_id, data_type="NUMERIC", value_max=0.5) == {}
    assert set(read.scores(trace_id=trace_id, data_type="CATEGORICAL", value="good,bad")) == {"CATEGORICAL"}


@pytest.mark.feature("scores through the queue")
def test_type_follows_from_the_value(client, read):
    trace_id = client.create_trace_id()
    client.create_score(name="number", value=3, trace_id=trace_id)
    client.create_score(name="text", value="fine", trace_id=trace_id)
    client.flush()
    scores = read.scores(trace_id=trace_id)
    assert (scores["number"].data_type, scores["number"].value) == ("NUMERIC", 3)
    assert (scores["text"].data_type, scores["text"].value) == ("CATEGORICAL", "fine")


@pytest.mark.feature("scores through the queue")
def test_everything_that_can_be_scored(client, read):
    session, run = unique("session"), unique("run")
    with client.start_as_current_observation(name="scored") as span:
        span.score(name="observation", value=1)
        span.score_trace(name="trace", value=2)
        client.score_current_span(name="current span", value=3)
        client.score_current_trace(name="current trace", value=4)
    client.create_score(name="session", value=5, session_id=session)
    client.create_score(name="experiment", value=6, dataset_run_id=run)
    client.flush()

    of_trace = {"kind": "trace", "id": span.trace_id}
    of_observation = {"kind": "observation", "id": span.id, "trace_id": span.trace_id}
    scores = read.scores(trace_id=span.trace_id)
    assert {name: subject(score) for name, score in scores.items()} == {
        "observation": of_observation, "trace": of_trace, "current span": of_observation, "current trace": of_trace,
    }
    assert set(read.scores(trace_id=span.trace_id, observation_id=span.id)) == {"observation", "current span"}
    (score,) = read.scores(session_id=session).values()
    assert (score.value, subject(score)) == (5, {"kind": "session", "id": session})
    (score,) = read.scores(experiment_id=run).values()
    assert (score.value, subject(score)) == (6, {"kind": "experiment", "id": run})


# Everything that can be scored beside an observation: how a score names it, how it is found, and what it is called then.
SUBJECTS = [("trace_id", "trace_id", "trace"), ("session_id", "session_id", "session"), ("dataset_run_id", "experiment_id", "experiment")]


def check_every_type(scores, of):
    """Each named after its type, with its value, and of the right thing."""
    assert set(scores) == set(EVERY_TYPE)
    for kind, (_, reading) in EVERY_TYPE.items():
        assert (scores[kind].data_type, scores[kind].value, subject(scores[kind])) == (kind, reading, of)


@pytest.mark.feature("scores through the queue")
@pytest.mark.parametrize(("given", "filter", "about"), SUBJECTS)
def test_every_type_of(client, read, given, filter, about):
    about_id = unique(about)
    for kind, (value, _) in EVERY_TYPE.items():
        client.create_score(name=kind, value=value, data_type=kind, **{given: about_id})
    client.flush()
    check_every_type(read.scores(**{filter: about_id}), {"kind": about, "id": about_id})


@pytest.mark.feature("scores through the queue")
def test_every_type_of_an_observation(client, read):
    with client.start_as_current_observation(name="scored") as span:
        for kind, (value, _) in EVERY_TYPE.items():
            span.score(name=kind, value=value, data_type=kind)
    client.flush()
    check_every_type(
        read.scores(trace_id=span.trace_id, observation_id=span.id), {"kind": "observation", "id": span.id, "trace_id": span.trace_id})


@pytest.mark.feature("scores through the queue")
def test_a_score_is_replaced_by_its_id(client, read):
    trace_id, score_id = client.create_trace_id(), unique("score")
    moment = datetime.datetime.now(datetime.timezone.utc)
    for value in (1, 2):
        client.create_score(name="again", value=value, trace_id=trace_id, score_id=score_id, timestamp=moment)
        client.flush()
    (score,) = read.scores(trace_id=trace_id).values()
    assert (score.id, score.value) == (score_id, 2)


@pytest.mark.feature("scores through the queue")
def test_a_wrong_score_does_not_take_others_with_it(client, read):
    trace_id = client.create_trace_id()
    client.create_score(name="wrong", value=-1, data_type="BOOLEAN", trace_id=trace_id)
    client.create_score(name="right", value=1, data_type="BOOLEAN", trace_id=trace_id)
    client.flush()
    assert set(read.scores(trace_id=trace_id)) == {"right"}


def create(client, **score):
    """One score, by the route for it."""
    if MAJOR >= 5:
        from langfuse.api.scores.types.create_score_request import CreateScoreRequest
        return client.api.scores.create(request=[CreateScoreRequest(**score)])
    return client.api.scores.create(**score)


@pytest.mark.feature("scores sent directly")
@pytest.mark.parametrize("kind", EVERY_TYPE)
def test_direct(client, read, kind):
    value, reading = EVERY_TYPE[kind]
    with client.start_as_current_observation(name="scored") as span:
        pass
    client.flush()
    score_id = unique("score")
    answer = create(
        client, id=score_id, name="direct", value=value, data_type=kind, trace_id=span.trace_id, observation_id=span.id,
        environment="staging", metadata={"a": {"b": 1}}, comment="by hand")
    if MAJOR >= 5:
        assert answer.message == "Accepted"
    else:
        assert answer.id == score_id
    (score,) = read.scores(trace_id=span.trace_id, environment="staging").values()
    assert (score.id, score.value, score.data_type, score.metadata) == (score_id, reading, kind, {"a": {"b": 1}})
    assert subject(score) == {"kind": "observation", "id": span.id, "trace_id": span.trace_id}


@pytest.mark.feature("scores sent directly")
@pytest.mark.parametrize(("given", "filter", "about"), SUBJECTS)
def test_direct_on_everything(client, read, given, filter, about):
    about_id = unique(about)
    for kind, (value, _) in EVERY_TYPE.items():
        create(client, name=kind, value=value, data_type=kind, **{given: about_id})
    check_every_type(read.scores(**{filter: about_id}), {"kind": about, "id": about_id})


@pytest.mark.feature("scores sent directly")
def test_delete(client, read):
    trace_id, score_id = client.create_trace_id(), unique("score")
    create(client, id=score_id, name="doomed", value=1, trace_id=trace_id)
    assert set(read.scores(trace_id=trace_id)) == {"doomed"}
    deletes = client.api.scores if MAJOR >= 5 else client.api.legacy.score_v1
    deletes.delete(score_id)
    assert read.scores(trace_id=trace_id) == {}


@pytest.mark.feature("score configs")
def test_score_config(client, read):
    name = unique("config")
    config = client.api.score_configs.create(name=name, data_type="NUMERIC", min_value=0, max_value=1, description="from 0 to 1")
    assert (config.name, config.data_type, config.min_value, config.max_value) == (name, "NUMERIC", 0, 1)
    assert client.api.score_configs.get_by_id(config.id) == config
    assert config.id in {each.id for each in client.api.score_configs.get().data}
    trace_id = client.create_trace_id()
    client.create_score(name=name, value=0.5, trace_id=trace_id, config_id=config.id)
    client.create_score(name=name, value=2, trace_id=trace_id, config_id=config.id)
    client.flush()
    (score,) = read.scores(trace_id=trace_id).values()
    assert (score.value, score.config_id, score.data_type) == (0.5, config.id, "NUMERIC")


@pytest.mark.feature("batched evaluation")
@pytest.mark.skipif(MAJOR < 5, reason="the older generation evaluates what the deprecated reads give")
def test_batched_evaluation(client, read):
    name = unique("evaluated")
    for number in range(3):
        with client.start_as_current_observation(name=name, output="x" * number) as span:
            pass
    client.flush()
    result = client.run_batched_evaluation(
        filter=json.dumps([condition("string", "name", "=", name)]), fetch_batch_size=2,
        mapper=lambda *, item: EvaluatorInputs(input=item.input, output=item.output, expected_output=None, metadata=None),
        evaluators=[lambda *, output, **_: Evaluation(name="length", value=len(output or ""))])
    client.flush()
    assert (result.completed, result.total_items_processed, result.total_scores_created) == (True, 3, 3)
    (score,) = read.scores(trace_id=span.trace_id).values()
    assert (score.name, score.value, subject(score)) == ("length", 2, {"kind": "observation", "id": span.id, "trace_id": span.trace_id})
