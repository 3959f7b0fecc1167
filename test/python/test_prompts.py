"""Prompts: versions, labels, the cache of the client, and the link from a generation."""

import pytest

from support import unique


@pytest.mark.feature("prompts")
def test_text_prompt(client):
    name = unique("folder/größe a+b")
    client.create_prompt(name=name, prompt="Hello {{name}}", labels=["production"], tags=["one"], config={"temperature": 0.5})
    client.create_prompt(name=name, prompt="Bye {{name}}", labels=["staging"], commit_message="shorter")

    prompt = client.get_prompt(name)
    assert (prompt.name, prompt.version, prompt.prompt) == (name, 1, "Hello {{name}}")
    assert (prompt.labels, prompt.tags, prompt.config) == (["production"], ["one"], {"temperature": 0.5})
    assert prompt.compile(name="Ümit") == "Hello Ümit"
    assert prompt.variables == ["name"]
    staging = client.get_prompt(name, label="staging")
    assert (staging.version, staging.prompt, staging.labels, staging.commit_message) == (2, "Bye {{name}}", ["staging", "latest"], "shorter")
    assert client.get_prompt(name, version=1).prompt == "Hello {{name}}"
    assert client.get_prompt(name, label="latest").version == 2

    listed = {each.name: each for each in client.api.prompts.list(name=name).data}[name]
    assert (sorted(listed.versions), set(listed.labels), listed.tags) == ([1, 2], {"production", "staging", "latest"}, ["one"])


@pytest.mark.feature("prompts")
def test_chat_prompt(client):
    name = unique("chat")
    client.create_prompt(name=name, type="chat", labels=["production"], prompt=[
        {"role": "system", "content": "You speak {{language}}"},
        {"type": "placeholder", "name": "history"},
        {"role": "user", "content": "{{question}}"},
    ])
    prompt = client.get_prompt(name, type="chat")
    compiled = prompt.compile(language="Deutsch", question="Wie?", history=[{"role": "user", "content": "Hallo"}])
    assert [(each["role"], each["content"]) for each in compiled] == [("system", "You speak Deutsch"), ("user", "Hallo"), ("user", "Wie?")]


@pytest.mark.feature("prompts")
def test_labels_move(client):
    name = unique("labels")
    for text in ("one", "two"):
        client.create_prompt(name=name, prompt=text, labels=["production"])
    assert client.get_prompt(name, version=1, cache_ttl_seconds=0).labels == []
    client.update_prompt(name=name, version=1, new_labels=["production", "pinned"])
    client.clear_prompt_cache()
    assert sorted(client.get_prompt(name).labels) == ["pinned", "production"]
    assert client.get_prompt(name, version=2).labels == ["latest"]


@pytest.mark.feature("prompts")
def test_cached(client, weir):
    name = unique("cached")
    client.create_prompt(name=name, prompt="first", labels=["production"])
    assert client.get_prompt(name).prompt == "first"
    client.api.prompts.create(request={"type": "text", "name": name, "prompt": "second", "labels": ["production"]})
    assert client.get_prompt(name).prompt == "first", "from the cache"
    assert client.get_prompt(name, cache_ttl_seconds=0).prompt == "second", "past the cache"


@pytest.mark.feature("prompts")
def test_fallback_and_deletion(client):
    name = unique("absent")
    prompt = client.get_prompt(name, fallback="in place of it", max_retries=0)
    assert (prompt.is_fallback, prompt.compile()) == (True, "in place of it")
    client.create_prompt(name=name, prompt="there", labels=["production"])
    client.api.prompts.delete(name)
    with pytest.raises(Exception) as raised:
        client.get_prompt(name, cache_ttl_seconds=0, max_retries=0)
    assert raised.value.status_code == 404


@pytest.mark.feature("generation linked to its prompt")
def test_prompt_link(client, read):
    name = unique("linked")
    client.create_prompt(name=name, prompt="a", labels=["production"])
    client.create_prompt(name=name, prompt="b", labels=["production"])
    prompt = client.get_prompt(name)
    with client.start_as_current_observation(as_type="generation", name="linked", prompt=prompt, model="gpt-4o") as generation:
        pass
    client.flush()
    row = read.observation(trace_id=generation.trace_id)
    assert (row.prompt_name, row.prompt_version) == (name, 2)
    assert row.prompt_id
