from langfuse import get_client, observe

@observe()
def answer(question):
    return "42"

answer("What is six by seven?")
get_client().flush()
