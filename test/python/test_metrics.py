"""Aggregates of what was just written."""

import datetime
import json

import pytest

from support import an_hour_ago, condition, unique


def query(client, **members):
    later = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=1)
    members = {"fromTimestamp": an_hour_ago().isoformat(), "toTimestamp": later.isoformat(), "dimensions": [], "filters": [], **members}
    return client.api.metrics.metrics(query=json.dumps(members)).data


@pytest.mark.feature("metrics")
def test_observations(client):
    name = unique("measured")
    for model, tokens in (("gpt-4o", 10), ("gpt-4o", 20), ("gpt-4o-mini", 5)):
        with client.start_as_current_observation(as_type="generation", name=name, model=model) as generation:
            generation.update(usage_details={"input": tokens, "output": tokens}, cost_details={"total": tokens / 10})
    client.flush()
    rows = query(
        client, view="observations", dimensions=[{"field": "providedModelName"}],
        metrics=[{"measure": "count", "aggregation": "count"}, {"measure": "totalCost", "aggregation": "sum"},
                 {"measure": "totalTokens", "aggregation": "sum"}],
        filters=[condition("string", "name", "=", name)])
    by_model = {row["providedModelName"]: row for row in rows}
    assert {model: (int(row["count_count"]), float(row["sum_totalCost"]), int(row["sum_totalTokens"])) for model, row in by_model.items()} == {
        "gpt-4o": (2, 3.0, 60), "gpt-4o-mini": (1, 0.5, 10),
    }


@pytest.mark.feature("metrics")
def test_scores(client):
    name, trace_id = unique("measured"), client.create_trace_id()
    for value in (1, 2, 6):
        client.create_score(name=name, value=value, trace_id=trace_id)
    client.flush()
    (row,) = query(
        client, view="scores-numeric", dimensions=[{"field": "name"}],
        metrics=[{"measure": "value", "aggregation": "avg"}, {"measure": "count", "aggregation": "count"}],
        filters=[condition("string", "name", "=", name)])
    assert (row["name"], float(row["avg_value"]), int(row["count_count"])) == (name, 3.0, 3)


@pytest.mark.feature("metrics")
def test_over_time(client):
    name = unique("measured")
    with client.start_as_current_observation(name=name):
        pass
    client.flush()
    rows = query(
        client, view="observations", metrics=[{"measure": "count", "aggregation": "count"}], timeDimension={"granularity": "hour"},
        filters=[condition("string", "name", "=", name)])
    assert sum(int(row["count_count"]) for row in rows) == 1
    assert all("time_dimension" in row for row in rows)
