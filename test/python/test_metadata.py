"""Metadata of every kind, through both tables of the specification, and filters on it."""

import datetime

import pytest
from langfuse import propagate_attributes

from support import MAJOR, condition, unique

MOMENT = datetime.datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=datetime.timezone.utc)

# What the application gives, and what it reads back. Nested objects come back as dotted paths.
SAME = {
    "plain": ("text", "text"),
    "non_ascii": ("Grüße 日本 🚀", "Grüße 日本 🚀"),
    "empty": ("", ""),
    "integer": (42, 42),
    "zero": (0, 0),
    "negative": (-7, -7),
    "float": (1.5, 1.5),
    "true": (True, True),
    "false": (False, False),
    "list": ([1, "a", True, None], [1, "a", True, None]),
    "date": (MOMENT, "2026-01-02T03:04:05.678901Z"),
    "dotted.key": ("dotted", "dotted"),
    "with blank": ("blank", "blank"),
}
NESTED = {"a": {"b": 1, "c": ["x", None], "ü": "ö"}}
NESTED_READ = {"nested.a.b": 1, "nested.a.c": ["x", None], "nested.a.ü": "ö"}

# The generations differ here: the older one sends strings as they are, so that what looks like JSON is read as such, and
# integers as OTLP integers; the newer one encodes every value, and integers beyond what JavaScript can count as strings.
DIFFERENT = {
    "number_text": ("42", {4: 42, 5: "42"}),
    "boolean_text": ("true", {4: True, 5: "true"}),
    "quoted": ('"q"', {4: "q", 5: '"q"'}),
    "unsafe": (9007199254740993, {4: 9007199254740993, 5: "9007199254740993"}),
    "largest": (2**63 - 1, {4: 2**63 - 1, 5: str(2**63 - 1)}),
}


def written():
    return {
        **{key: given for key, (given, _) in SAME.items()}, **{key: given for key, (given, _) in DIFFERENT.items()},
        "nested": NESTED, "none": None,
    }


@pytest.fixture(scope="module")
def everything(client):
    """A span with all of it."""
    with client.start_as_current_observation(name=unique("metadata"), metadata=written()) as span:
        pass
    client.flush()
    return span


@pytest.mark.feature("metadata of every kind")
def test_every_kind(everything, read):
    metadata = read.metadata(trace_id=everything.trace_id)
    expected = {
        **{key: reading for key, (_, reading) in SAME.items()}, **{key: reading[MAJOR] for key, (_, reading) in DIFFERENT.items()},
        **NESTED_READ,
    }
    metadata["date"] = metadata["date"].replace("+00:00", "Z")
    assert metadata == expected, "and null is not written"


@pytest.mark.feature("metadata of every kind")
@pytest.mark.parametrize(("value", "reading"), [("scalar text", {}), (12, {}), (["a", 1], {"0": "a", "1": 1})])
def test_metadata_that_is_no_object(client, read, value, reading):
    """As at the service: what has no keys is left out, and a list has its places for keys."""
    with client.start_as_current_observation(name="whole", metadata=value) as span:
        pass
    client.flush()
    assert read.metadata(trace_id=span.trace_id) == reading


@pytest.mark.feature("metadata of every kind")
@pytest.mark.skipif(MAJOR < 5, reason="the older generation cannot send it: OTLP has no integer of that size")
def test_integer_beyond_64_bits(client, read):
    with client.start_as_current_observation(name="big", metadata={"big": 2**70}) as span:
        pass
    client.flush()
    assert read.metadata(trace_id=span.trace_id) == {"big": str(2**70)}


@pytest.mark.feature("metadata of every kind")
def test_propagated_metadata(client, read):
    given = {"text": "acme", "uni": "größe 日本", "true": True, "none": None, "list": [1, "a"], "object": {"b": 1}, "date": MOMENT}
    with propagate_attributes(metadata=given):
        with client.start_as_current_observation(name="root") as root:
            with client.start_as_current_observation(name="child", metadata={"own": 1}):
                pass
    client.flush()
    rows = read.observations(trace_id=root.trace_id)
    for row in rows.values():
        assert (row.metadata["text"], row.metadata["uni"]) == ("acme", "größe 日本")
        if MAJOR >= 5:
            assert row.metadata["true"] is True
            assert row.metadata["list"] == [1, "a"]
            assert row.metadata["object.b"] == 1
            assert row.metadata["date"].replace("+00:00", "Z") == "2026-01-02T03:04:05.678901Z"
        else:
            # The older generation propagates what str() makes of a value.
            assert (row.metadata["true"], row.metadata["none"], row.metadata["object"]) == ("True", "None", "{'b': 1}")
    assert rows["child"].metadata["own"] == 1
    assert "own" not in rows["root"].metadata


@pytest.mark.feature("metadata of every kind")
def test_long_values_are_shortened_unless_asked_for(client, read):
    long = "ä" * 500
    with client.start_as_current_observation(name="long", metadata={"long": long, "other": long}) as span:
        pass
    client.flush()
    metadata = read.metadata(trace_id=span.trace_id, expand_metadata="long")
    assert metadata["long"] == long
    assert metadata["other"].startswith("ä" * 200) and len(metadata["other"]) < 210


FILTERS = [
    (condition("stringObject", "metadata", "=", "text", key="plain"), True),
    (condition("stringObject", "metadata", "=", '"text"', key="plain"), False),
    (condition("stringObject", "metadata", "contains", "日本", key="non_ascii"), True),
    (condition("stringObject", "metadata", "starts with", "Grü", key="non_ascii"), True),
    (condition("stringObject", "metadata", "does not contain", "Grü", key="non_ascii"), False),
    (condition("numberObject", "metadata", "=", 42, key="integer"), True),
    (condition("numberObject", "metadata", ">", 42, key="integer"), False),
    (condition("numberObject", "metadata", "<=", 1.5, key="float"), True),
    (condition("stringObject", "metadata", "=", "true", key="true"), True),
    (condition("numberObject", "metadata", "=", 1, key="nested.a.b"), True),
    (condition("stringObject", "metadata", "=", "ö", key="nested.a.ü"), True),
    (condition("stringObject", "metadata", "=", "dotted", key="dotted.key"), True),
    (condition("stringObject", "metadata", "=", "blank", key="with blank"), True),
    (condition("numberObject", "metadata", "=", 0, key="zero"), True),
    (condition("numberObject", "metadata", "<", 0, key="negative"), True),
    (condition("stringObject", "metadata", "=", "false", key="false"), True),
    (condition("stringObject", "metadata", "contains", "2026-01-02", key="date"), True),
    (condition("stringObject", "metadata", "contains", '"a"', key="list"), True),
    (condition("stringObject", "metadata", "=", "null", key="none"), False),
    (condition("stringObject", "metadata", "=", "", key="no such key"), False),
]

# Beyond what JavaScript can count: a number of the older generation, a string of the newer one.
BIG_FILTERS = [
    (condition("stringObject", "metadata", "=", "9007199254740993", key="unsafe"), True),
    (condition("stringObject", "metadata", "=", "9007199254740992", key="unsafe"), False),
    (condition("stringObject", "metadata", "=", str(2**63 - 1), key="largest"), True),
]


@pytest.mark.feature("filters on metadata")
@pytest.mark.parametrize(("metadata_condition", "found"), [*FILTERS, *BIG_FILTERS], ids=lambda each: str(each.get("key")) if isinstance(each, dict) else "")
def test_filters(everything, read, metadata_condition, found):
    rows = read.observations(metadata_condition, condition("string", "traceId", "=", everything.trace_id))
    assert bool(rows) is found
