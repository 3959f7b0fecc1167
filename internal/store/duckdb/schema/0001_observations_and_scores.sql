-- One row a span. There is no primary key: it would halve the rate of writing and double the file. The writer replaces a
-- row by deleting the old one first.
--
-- Absent texts are empty, absent numbers and times are NULL. Lists and objects are JSON text, empty when there is nothing
-- in them. Amounts of money are whole numbers of 1e-12 US dollars.
CREATE TABLE observations (
    project                         VARCHAR   NOT NULL,
    trace_id                        VARCHAR   NOT NULL,
    id                              VARCHAR   NOT NULL,
    parent_id                       VARCHAR   NOT NULL,
    start_time                      TIMESTAMP NOT NULL,
    end_time                        TIMESTAMP,
    completion_start                TIMESTAMP,
    type                            VARCHAR   NOT NULL,

    name                            VARCHAR   NOT NULL,
    environment                     VARCHAR   NOT NULL,
    version                         VARCHAR   NOT NULL,
    user_id                         VARCHAR   NOT NULL,
    session_id                      VARCHAR   NOT NULL,
    level                           VARCHAR   NOT NULL,
    status_message                  VARCHAR   NOT NULL,
    is_app_root                     BOOLEAN   NOT NULL,
    bookmarked                      BOOLEAN   NOT NULL,
    public                          BOOLEAN   NOT NULL,

    release                         VARCHAR   NOT NULL,
    trace_name                      VARCHAR   NOT NULL,
    tags                            VARCHAR   NOT NULL,

    prompt_id                       VARCHAR   NOT NULL,
    prompt_name                     VARCHAR   NOT NULL,
    prompt_version                  INTEGER,

    model_id                        VARCHAR   NOT NULL,
    model                           VARCHAR   NOT NULL,
    model_parameters                VARCHAR   NOT NULL,

    usage                           VARCHAR   NOT NULL,
    cost                            VARCHAR   NOT NULL,
    -- What the client sent of both, and the tier of the price.
    billing                         VARCHAR   NOT NULL,

    -- Large. Stored by column, so nothing reads them that does not ask for them. By itself DuckDB would try all its
    -- compressions on them at every checkpoint, which takes longer than everything else together.
    input                           VARCHAR   NOT NULL USING COMPRESSION zstd,
    output                          VARCHAR   NOT NULL USING COMPRESSION zstd,
    -- A flat object: dotted paths as keys, values with their types.
    metadata                        VARCHAR   NOT NULL,

    tool_definitions                VARCHAR   NOT NULL,
    tool_calls                      VARCHAR   NOT NULL,
    tool_call_names                 VARCHAR   NOT NULL,

    experiment_id                   VARCHAR   NOT NULL,
    experiment_name                 VARCHAR   NOT NULL,
    experiment_dataset_id           VARCHAR   NOT NULL,
    experiment_item_id              VARCHAR   NOT NULL,
    experiment_item_root_id         VARCHAR   NOT NULL,
    experiment_details              VARCHAR   NOT NULL,

    -- Who sent it: service, scope, client library, key.
    origin                          VARCHAR   NOT NULL,

    -- Derived from usage and cost when the row is written, for conditions and sums.
    input_tokens                    BIGINT    NOT NULL,
    output_tokens                   BIGINT    NOT NULL,
    total_tokens                    BIGINT,
    input_cost                      BIGINT    NOT NULL,
    output_cost                     BIGINT    NOT NULL,
    total_cost                      BIGINT,

    created_at                      TIMESTAMP NOT NULL,
    updated_at                      TIMESTAMP NOT NULL
);

-- One row a score, by its id; the writer replaces here too.
CREATE TABLE scores (
    project        VARCHAR   NOT NULL,
    id             VARCHAR   NOT NULL,
    name           VARCHAR   NOT NULL,
    data_type      VARCHAR   NOT NULL,
    number         DOUBLE    NOT NULL,
    text           VARCHAR   NOT NULL,
    trace_id       VARCHAR   NOT NULL,
    observation_id VARCHAR   NOT NULL,
    session_id     VARCHAR   NOT NULL,
    experiment_id  VARCHAR   NOT NULL,
    source         VARCHAR   NOT NULL,
    comment        VARCHAR   NOT NULL,
    config_id      VARCHAR   NOT NULL,
    queue_id       VARCHAR   NOT NULL,
    author_user_id VARCHAR   NOT NULL,
    environment    VARCHAR   NOT NULL,
    metadata       VARCHAR   NOT NULL,
    timestamp      TIMESTAMP NOT NULL,
    created_at     TIMESTAMP NOT NULL,
    updated_at     TIMESTAMP NOT NULL
);
