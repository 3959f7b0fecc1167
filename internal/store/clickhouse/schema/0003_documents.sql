-- One row a version of a document. The one that counts has no replaced_at; the others are kept for those who ask what was
-- there at a time.
CREATE TABLE IF NOT EXISTS {{.Local "documents"}} (
    project     LowCardinality(String),
    kind        LowCardinality(String),
    id          String,
    parent      String,
    name        String,
    state       String,
    body        String,
    revision    Int64,
    created_at  DateTime64(6, 'UTC'),
    updated_at  DateTime64(6, 'UTC'),
    replaced_at Nullable(DateTime64(6, 'UTC')),
    batch       UInt64,
    place       UInt32,

    INDEX batches batch TYPE minmax,
    CONSTRAINT in_time CHECK {{inTime "batch"}}
)
ENGINE = {{.MergeTree}}
ORDER BY (project, kind, id)
SETTINGS {{.Durable}}, index_granularity = 512;

{{.Distributed "documents" "cityHash64(id)"}};
