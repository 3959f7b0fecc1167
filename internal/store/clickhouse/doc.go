// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

// Package clickhouse keeps rows in ClickHouse, for what one machine cannot hold and for several collectors at once.
//
// Nothing is ever changed in place. Every row belongs to a batch, and shows once a record of that batch is in the table of
// commits; a row that was replaced or deleted stays, and the table of ends says which batch ended it. A reader takes the
// list of commits first, and then sees that moment in as many statements as it takes, on as many shards as there are.
package clickhouse // import "github.com/weirhq/weir/internal/store/clickhouse"
