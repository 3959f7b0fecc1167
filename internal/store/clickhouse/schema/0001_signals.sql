-- What a batch is, see commits. A row has no other identity than its batch and its place in it.
--
-- Absent texts are empty, absent numbers and times are NULL. Lists and objects are JSON text, empty when there is nothing
-- in them. Amounts of money are whole numbers of 1e-12 US dollars.
CREATE TABLE IF NOT EXISTS {{.Local "observations"}} (
    project                 LowCardinality(String),
    trace_id                String,
    id                      String,
    parent_id               String,
    start_time              DateTime64(6, 'UTC') CODEC(Delta, ZSTD(1)),
    end_time                Nullable(DateTime64(6, 'UTC')),
    completion_start        Nullable(DateTime64(6, 'UTC')),
    type                    String,

    name                    String,
    environment             String,
    version                 String,
    user_id                 String,
    session_id              String,
    level                   String,
    status_message          String,
    is_app_root             Bool,
    bookmarked              Bool,
    public                  Bool,

    release                 String,
    trace_name              String,
    tags                    String,

    prompt_id               String,
    prompt_name             String,
    prompt_version          Nullable(Int32),

    model_id                String,
    model                   String,
    model_parameters        String,

    usage                   String,
    cost                    String,
    -- What the client sent of both, and the tier of the price.
    billing                 String,

    -- Large. Stored by column, so nothing reads them that does not ask for them.
    input                   String,
    output                  String,
    -- A flat object: dotted paths as keys, values with their types.
    metadata                String,

    tool_definitions        String,
    tool_calls              String,
    tool_call_names         String,

    experiment_id           String,
    experiment_name         String,
    experiment_dataset_id   String,
    experiment_item_id      String,
    experiment_item_root_id String,
    experiment_details      String,

    -- Who sent it: service, scope, client library, key.
    origin                  String,

    -- Derived from usage and cost when the row is written, for conditions and sums.
    input_tokens            Int64,
    output_tokens           Int64,
    total_tokens            Nullable(Int64),
    input_cost              Int64,
    output_cost             Int64,
    total_cost              Nullable(Int64),

    created_at              DateTime64(6, 'UTC'),
    updated_at              DateTime64(6, 'UTC'),

    batch                   UInt64 CODEC(Delta, ZSTD(1)),
    place                   UInt32 CODEC(Delta, ZSTD(1)),

    INDEX batches batch TYPE minmax,
    INDEX traces trace_id TYPE bloom_filter(0.01),
    INDEX sessions session_id TYPE bloom_filter(0.01),
    INDEX users user_id TYPE bloom_filter(0.01),
    INDEX experiments experiment_id TYPE bloom_filter(0.01),
    -- The words of a text, as a search for whole words asks for them.
    INDEX input_words {{words "input"}} TYPE text(tokenizer = 'array'),
    INDEX output_words {{words "output"}} TYPE text(tokenizer = 'array'),
    CONSTRAINT in_time CHECK {{inTime "batch"}}
)
ENGINE = {{.MergeTree}}
PARTITION BY toYYYYMM(start_time)
ORDER BY (project, start_time, trace_id, id)
SETTINGS {{.Durable}}, min_bytes_for_wide_part = 67108864;

{{.Distributed "observations" "cityHash64(trace_id)"}};

-- Where the observations are, by what makes them the same: who writes looks here for what it replaces, and who asks for a
-- trace for the time in which it is.
CREATE TABLE IF NOT EXISTS {{.Local "keys"}} (
    project    LowCardinality(String),
    trace_id   String,
    id         String,
    start_time DateTime64(6, 'UTC'),
    created_at DateTime64(6, 'UTC'),
    batch      UInt64,
    place      UInt32,

    INDEX batches batch TYPE minmax,
    INDEX traces trace_id TYPE bloom_filter(0.01),
    CONSTRAINT in_time CHECK {{inTime "batch"}}
)
ENGINE = {{.MergeTree}}
ORDER BY (project, trace_id, id)
SETTINGS {{.Durable}}, index_granularity = 512;

{{.Distributed "keys" "cityHash64(trace_id)"}};

CREATE TABLE IF NOT EXISTS {{.Local "scores"}} (
    project        LowCardinality(String),
    id             String,
    name           String,
    data_type      String,
    number         Float64,
    text           String,
    trace_id       String,
    observation_id String,
    session_id     String,
    experiment_id  String,
    source         String,
    comment        String,
    config_id      String,
    queue_id       String,
    author_user_id String,
    environment    String,
    metadata       String,
    timestamp      DateTime64(6, 'UTC'),
    created_at     DateTime64(6, 'UTC'),
    updated_at     DateTime64(6, 'UTC'),
    batch          UInt64,
    place          UInt32,

    INDEX batches batch TYPE minmax,
    INDEX ids id TYPE bloom_filter(0.01),
    INDEX traces trace_id TYPE bloom_filter(0.01),
    CONSTRAINT in_time CHECK {{inTime "batch"}}
)
ENGINE = {{.MergeTree}}
PARTITION BY toYYYYMM(timestamp)
ORDER BY (project, timestamp, id)
SETTINGS {{.Durable}};

{{.Distributed "scores" "cityHash64(id)"}};
