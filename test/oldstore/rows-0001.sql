-- What a Weir with schema 1 wrote: a generation with everything that it can have, and a score for it. The part after the mark
-- was not yet in the file when the process was killed.
INSERT INTO observations BY NAME SELECT
    'shop' AS project, '0af7651916cd43dd8448eb211c80319c' AS trace_id, 'b7ad6b7169203331' AS id, '' AS parent_id,
    TIMESTAMP '2026-11-01 12:00:00' AS start_time, TIMESTAMP '2026-11-01 12:00:01.5' AS end_time,
    TIMESTAMP '2026-11-01 12:00:00.25' AS completion_start, 'GENERATION' AS type,
    'chat' AS name, 'production' AS environment, 'v1' AS version, 'user-1' AS user_id, 'session-1' AS session_id,
    'WARNING' AS level, 'slow' AS status_message, true AS is_app_root, false AS bookmarked, true AS public,
    '2026.11' AS release, 'agent' AS trace_name, '["a","b"]' AS tags,
    'prompt-1' AS prompt_id, 'greeting' AS prompt_name, 3 AS prompt_version,
    'model-1' AS model_id, 'gpt-4o' AS model, '{"temperature":0.5}' AS model_parameters,
    '{"input":1000,"output":200,"total":1200}' AS usage, '{"input":0.0025,"output":0.002,"total":0.0045}' AS cost, '' AS billing,
    'What is six by seven?' AS input, '42' AS output, '{"tenant":"acme","big":9007199254740993,"looks_int":"123"}' AS metadata,
    '' AS tool_definitions, '' AS tool_calls, '' AS tool_call_names,
    '' AS experiment_id, '' AS experiment_name, '' AS experiment_dataset_id, '' AS experiment_item_id,
    '' AS experiment_item_root_id, '' AS experiment_details,
    '' AS origin, 1000 AS input_tokens, 200 AS output_tokens, 1200 AS total_tokens,
    2500000000 AS input_cost, 2000000000 AS output_cost, 4500000000 AS total_cost,
    TIMESTAMP '2026-11-01 12:00:02' AS created_at, TIMESTAMP '2026-11-01 12:00:02' AS updated_at;

INSERT INTO scores BY NAME SELECT
    'shop' AS project, 'score-1' AS id, 'quality' AS name, 'NUMERIC' AS data_type, 0.75 AS number, '' AS text,
    '0af7651916cd43dd8448eb211c80319c' AS trace_id, 'b7ad6b7169203331' AS observation_id, '' AS session_id, '' AS experiment_id,
    'API' AS source, 'good' AS comment, '' AS config_id, '' AS queue_id, '' AS author_user_id, 'production' AS environment,
    '{"by":"ann"}' AS metadata, TIMESTAMP '2026-11-01 13:00:00' AS timestamp,
    TIMESTAMP '2026-11-01 13:00:01' AS created_at, TIMESTAMP '2026-11-01 13:00:01' AS updated_at;

-- log
INSERT INTO observations BY NAME SELECT * REPLACE (
    'b7ad6b7169203332' AS id, 'b7ad6b7169203331' AS parent_id, 'search' AS name, 'TOOL' AS type,
    TIMESTAMP '2026-11-01 12:00:00.5' AS start_time
) FROM observations;
