"""Reading back through the client library, in the names of both its generations."""

import datetime
import json
import uuid

import langfuse

MAJOR = int(langfuse.__version__.split(".")[0])

EVERY_GROUP = "core,basic,time,io,metadata,model,usage,prompt,metrics,trace_context"

# What the OpenTelemetry SDK and the server add to the metadata of a span.
FOREIGN_METADATA = ("resourceAttributes.", "scope.")


def unique(name):
    return f"{name}-{uuid.uuid4().hex[:12]}"


def an_hour_ago():
    return datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(hours=1)


def condition(type, column, operator, value, key=None):
    return {"type": type, "column": column, "operator": operator, "value": value, **({"key": key} if key else {})}


class Reader:
    """Reads what a client wrote. Whoever reads has flushed: what the server acknowledged can be read at once."""

    def __init__(self, client):
        self.client = client

    @property
    def api(self):
        return self.client.api

    def observations(self, *conditions, **parameters):
        """All rows, through all pages, by name."""
        if conditions:
            parameters["filter"] = json.dumps(conditions)
        rows, cursor = {}, None
        while True:
            page = self.api.observations.get_many(fields=EVERY_GROUP, cursor=cursor, **parameters)
            for row in page.data:
                assert row.name not in rows, f"two rows are named {row.name}"
                rows[row.name] = row
            cursor = page.meta.cursor
            if not cursor:
                return rows

    def observation(self, **parameters):
        (row,) = self.observations(**parameters).values()
        return row

    def metadata(self, **parameters):
        """The metadata that the application wrote, and nothing else."""
        metadata = self.observation(**parameters).metadata
        return {key: value for key, value in metadata.items() if not key.startswith(FOREIGN_METADATA)}

    def scores(self, **parameters):
        """Scores by name, with all their fields."""
        if MAJOR >= 5:
            page = self.api.scores.get_many(fields="details,subject,annotation", **parameters)
        else:
            page = self.api.scores_v3.get_many_v3(fields="details,subject,annotation", **parameters)
        assert page.meta.cursor is None
        scores = {score.name: score for score in page.data}
        assert len(scores) == len(page.data)
        return scores

    def experiment(self, **parameters):
        page = self.api.experiments.list(from_start_time=an_hour_ago(), fields="metadata,scores", **parameters)
        (experiment,) = page.data
        return experiment

    def experiment_items(self, **parameters):
        return self.api.experiments.list_items(
            from_start_time=an_hour_ago(), fields="dataset,io,metadata,scores,itemMetadata,experimentMetadata", **parameters).data
