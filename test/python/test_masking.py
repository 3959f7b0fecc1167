"""What an application masks leaves it masked: the server has never seen the rest."""

import json
import re

import pytest
from langfuse.types import MaskOtelSpansResult, OtelSpanPatch

from support import Reader, unique

pytestmark = pytest.mark.feature("masking")

CARD = "4111 1111 1111 1111"


def masked(value):
    """For whatever an application puts into a span."""
    if isinstance(value, str):
        return re.sub(r"\d{4}( \d{4}){3}", "<card>", value)
    if isinstance(value, dict):
        return {key: masked(each) for key, each in value.items()}
    if isinstance(value, list):
        return [masked(each) for each in value]
    return value


def send(client, **given):
    with client.start_as_current_observation(name=unique("masked"), **given) as span:
        pass
    client.flush()
    return Reader(client).observation(trace_id=span.trace_id)


def test_input_output_and_metadata(server, langfuse_of):
    client = langfuse_of(server, mask=lambda *, data, **_: masked(data))
    row = send(client, input={"text": f"pay with {CARD}", "größe": 1}, output=f"{CARD} it is", metadata={"note": CARD, "n": 7})
    assert json.loads(row.input) == {"text": "pay with <card>", "größe": 1}
    assert (row.output, row.metadata["note"], row.metadata["n"]) == ("<card> it is", "<card>", 7)


def test_a_callback_that_fails_masks_everything(server, langfuse_of):
    def broken(**_):
        raise ValueError("kaput")

    row = send(langfuse_of(server, mask=broken), input="secret", output={"also": "secret"})
    assert row.input == row.output == "<fully masked due to failed mask function>"


def test_attributes_before_the_export(server, langfuse_of):
    """The hook that sees spans of every library, as attributes."""

    def patches(*, params):
        return MaskOtelSpansResult(span_patches={
            span: OtelSpanPatch(set_attributes={"langfuse.observation.input": "patched"}, delete_attributes=("langfuse.observation.output",))
            for span in params.spans
        })

    row = send(langfuse_of(server, mask_otel_spans=patches), input="secret", output="secret", metadata={"kept": "yes"})
    assert (row.input, row.output, row.metadata["kept"]) == ("patched", None, "yes")
