"""Files in spans and in dataset items."""

import base64
import json

import pytest
from langfuse.media import LangfuseMedia

from support import unique

# The smallest picture.
PIXEL = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")


@pytest.mark.feature("media in spans")
def test_data_uri_in_input(client, read):
    content = PIXEL + unique("pixel").encode()
    uri = "data:image/png;base64," + base64.b64encode(content).decode()
    with client.start_as_current_observation(name="seen", input={"image": uri, "text": "what is it?"}) as span:
        pass
    client.flush()
    row = read.observation(trace_id=span.trace_id)
    assert "@@@langfuseMedia:type=image/png|id=" in row.input and uri not in row.input
    resolved = client.resolve_media_references(obj=json.loads(row.input), resolve_with="base64_data_uri")
    assert resolved == {"image": uri, "text": "what is it?"}


@pytest.mark.feature("media in spans")
def test_media_object_twice(client, read):
    content = b"%PDF-" + unique("pdf").encode()
    for name in ("first", "again"):
        with client.start_as_current_observation(
                name=name, output=LangfuseMedia(content_bytes=content, content_type="application/pdf")) as span:
            pass
        client.flush()
        reference = LangfuseMedia.parse_reference_string(read.observation(trace_id=span.trace_id).output.strip('"'))
        assert (reference["content_type"], reference["source"]) == ("application/pdf", "bytes")
        media = client.api.media.get(reference["media_id"])
        assert (media.media_id, media.content_type, media.content_length) == (reference["media_id"], "application/pdf", len(content))


@pytest.mark.feature("media in dataset items")
def test_dataset_item(client):
    name = unique("pictures")
    content = PIXEL + name.encode()
    dataset = client.create_dataset(name=name)
    media = LangfuseMedia(content_bytes=content, content_type="image/png")
    client.create_dataset_item(
        dataset_name=name, input={"gallery": [media], "question": "what?"}, expected_output={"picture": media}, metadata={"m": media})
    (item,) = client.get_dataset(name).items
    assert item.dataset_id == dataset.id
    references = {reference.field: reference for reference in item.media_references}
    assert set(references) == {"input", "expectedOutput", "metadata"}
    assert references["input"].json_path == "$['gallery'][0]"
    for reference in references.values():
        assert (reference.media.content_type, reference.media.content_length) == ("image/png", len(content))
    fetched = client.resolve_media_references(obj={"picture": references["input"].reference_string}, resolve_with="base64_data_uri")
    assert fetched["picture"].startswith("data:image/png;base64,")
    assert base64.b64decode(fetched["picture"].partition(",")[2]) == content
