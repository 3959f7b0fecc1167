// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

// Package scorelog is the one place that knows how a score looks as a log record, both ways.
//
// A score is an OpenTelemetry event: a log record named gen_ai.evaluation.result, with name, value, label and
// explanation from the GenAI conventions, the trace and span id on the record, and what the conventions lack
// under <service>.score.*. So scores get the queue, retry and fan-out of any signal, and an application that
// emits plain GenAI evaluation events gets scores without a client library.
package scorelog // import "github.com/weirhq/weir/internal/scorelog"
