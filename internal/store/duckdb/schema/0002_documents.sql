-- One row a version of a document. The one that counts has no replaced_at; the others are kept for those who ask what was
-- there at a time. Rows are few and looked up by scans, which skip what is of another kind; an index would have to be
-- kept in memory.
CREATE TABLE documents (
    project     VARCHAR   NOT NULL,
    kind        VARCHAR   NOT NULL,
    id          VARCHAR   NOT NULL,
    parent      VARCHAR   NOT NULL,
    name        VARCHAR   NOT NULL,
    state       VARCHAR   NOT NULL,
    body        VARCHAR   NOT NULL USING COMPRESSION zstd,
    revision    BIGINT    NOT NULL,
    created_at  TIMESTAMP NOT NULL,
    updated_at  TIMESTAMP NOT NULL,
    replaced_at TIMESTAMP
);
