from langfuse import Langfuse

def test_an_answer_is_scored(weir):
    langfuse = Langfuse(base_url=weir.url, public_key=weir.public_key, secret_key=weir.secret_key)
    with langfuse.start_as_current_observation(name="answer", output="42") as span:
        span.score(name="right", value=1)
    langfuse.flush()
    (answer,) = langfuse.api.observations.get_many(trace_id=span.trace_id, fields="io").data
    assert answer.output == "42"
