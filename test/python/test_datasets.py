"""Datasets, and experiments on them and on local data."""

import datetime
import json

import pytest
from langfuse import Evaluation

from support import MAJOR, unique

CAPITALS = {"France": "Paris", "Japan": "東京", "Perú": "Lima"}


@pytest.fixture
def dataset(client):
    # Names have all that must be escaped in an address.
    name = unique("capitals / a+b? größe")
    client.create_dataset(name=name, description="of countries", metadata={"source": "atlas", "n": 3})
    for country, capital in CAPITALS.items():
        client.create_dataset_item(
            dataset_name=name, input={"country": country}, expected_output=capital, metadata={"continent": {"of": country}})
    return name


@pytest.mark.feature("datasets")
def test_dataset_and_items(client, dataset):
    got = client.get_dataset(dataset)
    assert (got.name, got.description, got.metadata) == (dataset, "of countries", {"source": "atlas", "n": 3})
    assert [(item.input["country"], item.expected_output) for item in got.items] == list(reversed(CAPITALS.items())), "newest first"
    assert got.items[0].metadata == {"continent": {"of": "Perú"}}
    assert {item.status for item in got.items} == {"ACTIVE"}
    assert len(client.get_dataset(dataset, fetch_items_page_size=1).items) == 3, "of all pages"
    assert dataset in {each.name for each in client.api.datasets.list(limit=100).data}


@pytest.mark.feature("datasets")
def test_items_change(client, dataset):
    before = client.get_dataset(dataset)
    moment = datetime.datetime.now(datetime.timezone.utc)
    first, second, third = before.items
    client.create_dataset_item(dataset_name=dataset, id=first.id, input={"country": "Bolivia"}, expected_output="Sucre")
    client.create_dataset_item(dataset_name=dataset, id=second.id, status="ARCHIVED")
    client.api.dataset_items.delete(third.id)

    (item,) = client.get_dataset(dataset).items
    assert (item.id, item.input, item.expected_output) == (first.id, {"country": "Bolivia"}, "Sucre")
    assert client.api.dataset_items.get(second.id).status == "ARCHIVED"
    as_it_was = client.get_dataset(dataset, version=moment)
    assert {each.id: each.input for each in as_it_was.items} == {each.id: each.input for each in before.items}


@pytest.mark.feature("datasets")
def test_upsert_and_unknown(client, dataset):
    again = client.create_dataset(name=dataset, description="anew")
    assert (again.id, again.description) == (client.get_dataset(dataset).id, "anew")
    with pytest.raises(Exception) as raised:
        client.get_dataset(unique("unknown"))
    assert raised.value.status_code == 404


def right(*, output, expected_output, **_):
    return Evaluation(name="right", value=1.0 if output == expected_output else 0.0, comment="compared")


def kind(*, input, **_):
    return Evaluation(name="kind", value="short" if len(str(input)) < 25 else "long", data_type="CATEGORICAL")


def share(*, item_results, **_):
    values = [each.value for result in item_results for each in result.evaluations if each.name == "right"]
    return Evaluation(name="share", value=sum(values) / len(values))


@pytest.mark.feature("experiments")
def test_experiment_on_a_dataset(client, read, dataset):
    def task(*, item, **_):
        with client.start_as_current_observation(as_type="generation", name="answer", model="gpt-4o"):
            return CAPITALS[item.input["country"]] if item.input["country"] != "France" else "Lyon"

    data = client.get_dataset(dataset)
    run = unique("run")
    result = data.run_experiment(
        name="capitals", run_name=run, description="all of them", task=task, evaluators=[right, kind], run_evaluators=[share],
        metadata={"model": "gpt-4o", "temperature": "0"})
    client.flush()
    assert len(result.item_results) == 3

    experiment = read.experiment(name=run)
    assert (experiment.id, experiment.name, experiment.item_count) == (result.experiment_id, run, 3)
    assert (experiment.dataset_id, experiment.description) == (data.id, "all of them")
    assert experiment.metadata["model"] == "gpt-4o"
    assert experiment.end_time >= experiment.start_time
    assert [(score.name, score.value) for score in experiment.scores] == [("share", pytest.approx(2 / 3))]
    assert read.experiment(dataset_id=data.id).id == experiment.id

    items = {item.experiment_item_id: item for item in read.experiment_items(experiment_name=run)}
    assert set(items) == {item.id for item in data.items}
    for given in data.items:
        item, country = items[given.id], given.input["country"]
        assert (item.experiment_id, item.experiment_name, item.experiment_dataset_id) == (experiment.id, run, data.id)
        assert item.environment == "sdk-experiment"
        assert json.loads(item.input) == given.input
        assert item.expected_output == CAPITALS[country]
        assert item.output == ("Lyon" if country == "France" else CAPITALS[country])
        scores = {score.name: score.value for score in item.scores}
        assert scores == {"right": 0.0 if country == "France" else 1.0, "kind": "short"}
        assert item.experiment_item_metadata["continent.of"] == country
        assert item.experiment_metadata["model"] == "gpt-4o"
        rows = read.observations(trace_id=item.trace_id)
        assert rows["answer"].type == "GENERATION"
        assert item.id in {row.id for row in rows.values()}
    assert {item.trace_id for item in items.values()} == {each.trace_id for each in result.item_results}
    # A second run with the same name belongs to the same experiment.
    data.run_experiment(name="capitals", run_name=run, task=task)
    client.flush()
    assert (read.experiment(name=run).id, read.experiment(name=run).item_count) == (experiment.id, 6)


@pytest.mark.feature("experiments")
@pytest.mark.skipif(MAJOR < 5, reason="the older generation does not tell the version of the data")
def test_experiment_on_older_data(client, read, dataset):
    moment = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0) + datetime.timedelta(seconds=1)
    run = unique("older")
    client.get_dataset(dataset, version=moment).run_experiment(name="older", run_name=run, task=lambda **_: "out")
    client.flush()
    versions = {item.experiment_item_version for item in read.experiment_items(experiment_name=run)}
    assert {datetime.datetime.fromisoformat(str(version).replace("Z", "+00:00")) for version in versions} == {moment}


@pytest.mark.feature("experiments")
def test_experiment_on_local_data(client, read):
    run = unique("local")
    result = client.run_experiment(
        name="local", run_name=run, data=[{"input": "x", "expected_output": "X"}, {"input": "y", "expected_output": "Z"}],
        task=lambda *, item, **_: item["input"].upper(), evaluators=[right], run_evaluators=[share])
    client.flush()
    experiment = read.experiment(name=run)
    assert (experiment.id, experiment.item_count, experiment.dataset_id) == (result.experiment_id, 2, None)
    items = {item.output: item for item in read.experiment_items(experiment_id=experiment.id)}
    assert {output: [score.value for score in item.scores] for output, item in items.items()} == {"X": [1.0], "Y": [0.0]}
    assert items["X"].experiment_item_id == "2d711642b726b044"


@pytest.mark.feature("dataset runs")
@pytest.mark.skipif(MAJOR >= 5, reason="the newer generation has experiments instead")
def test_dataset_runs(client, dataset):
    data = client.get_dataset(dataset)
    for run in ("first", "second"):
        data.run_experiment(name=run, run_name=run, description=f"the {run}", task=lambda **_: "out", metadata={"n": run})
    client.flush()
    runs = client.get_dataset_runs(dataset_name=dataset)
    assert [run.name for run in runs.data] == ["second", "first"], "newest first"
    assert runs.meta.total_items == 2
    run = client.get_dataset_run(dataset_name=dataset, run_name="first")
    assert (run.description, run.metadata, len(run.dataset_run_items)) == ("the first", {"n": "first"}, 3)
    assert {item.dataset_item_id for item in run.dataset_run_items} == {item.id for item in data.items}
    client.delete_dataset_run(dataset_name=dataset, run_name="first")
    assert [run.name for run in client.get_dataset_runs(dataset_name=dataset).data] == ["second"]
