-- A batch is all that one write puts into any table. Its number is the time at which it began, in microseconds, with the twelve
-- bits of its collector behind. It counts once it is here: one row, so all of it or nothing.
CREATE TABLE IF NOT EXISTS {{.Local "commits"}} (
    batch   UInt64,
    -- Until when it may come, in microseconds. Others take a batch that is late for one that never comes, so
    -- what counts is when the row arrives, and not when the insert began.
    expires UInt64,
    -- With batch 0: all batches below base have been looked at; what is left of them counts, and needs no commit any more.
    base    UInt64,

    CONSTRAINT in_time CHECK expires > toUInt64(toUnixTimestamp64Micro(nowInBlock64(6)))
)
ENGINE = {{.MergeTree}}
ORDER BY batch
SETTINGS {{.Durable}};

{{.Distributed "commits" "0"}};

-- The end of a row: from the commit of a batch on, another row does not count any more. It is on the shard of the row, so that
-- each shard knows by itself which of its rows count.
CREATE TABLE IF NOT EXISTS {{.Local "ends"}} (
    batch    UInt64,
    place    UInt32,
    ended_by UInt64,
    home     UInt64,

    CONSTRAINT in_time CHECK {{inTime "ended_by"}}
)
ENGINE = {{.MergeTree}}
ORDER BY (batch, place)
SETTINGS {{.Durable}};

{{.Distributed "ends" "home"}};

-- Who reads something to write it anew says so first, and then looks whether somebody else does the same.
CREATE TABLE IF NOT EXISTS {{.Local "claims"}} (
    project  String,
    kind     String,
    id       String,
    batch    UInt64,
    released Bool,

    CONSTRAINT in_time CHECK {{inTime "batch"}}
)
ENGINE = {{.MergeTree}}
ORDER BY (project, kind, id)
SETTINGS {{.Durable}};

{{.Distributed "claims" "cityHash64(id)"}};

-- Which collectors are at work. Each says so once a minute, and who finds another one with its number takes the next.
CREATE TABLE IF NOT EXISTS {{.Local "collectors"}} (
    number     UInt16,
    -- Tells two with the same number apart.
    token      UInt64,
    -- How long its reads may take, in microseconds: what they may still show is not cleaned up.
    query_time UInt64,
    -- The time at which it said so, as a batch has it.
    batch      UInt64,

    CONSTRAINT in_time CHECK {{inTime "batch"}}
)
ENGINE = {{.MergeTree}}
ORDER BY number
SETTINGS {{.Durable}};

{{.Distributed "collectors" "0"}};
