// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package apidoctest // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/apidoc/apidoctest"

import "strings"

// OddTexts are what breaks programs that put texts together: statements of SQL, pieces of JSON, patterns, templates, paths,
// markup, and characters that some think do not exist. To the server each is a text like any other.
var OddTexts = []string{
	// SQL
	`'`, `''`, `"`, "`", `\`, `\'`, `;`, `--`, `/*`, `*/`,
	`' OR '1'='1`, `' OR 1=1 --`, `" OR ""="`, `') OR ('1'='1`, `'; DROP TABLE observations; --`, `'; DELETE FROM scores; --`,
	`1; ATTACH 'x.db'; --`, `' UNION SELECT * FROM scores --`, `' || (SELECT max(version) FROM weir_schema) || '`,
	`x' AND (SELECT count(*) FROM observations) > 0 AND 'x'='x`, `$1`, `?`, `:name`, `@v`, `$$ DROP TABLE scores $$`,
	`%`, `_`, `%%`, `a%' ESCAPE '`, `.*`, `(`, `[`, `(a+)+$`, `^(?:a|a)*$`, `\Q`, `*`,
	`read_csv('/etc/passwd')`, `getenv('PATH')`, `COPY (SELECT 1) TO '/tmp/x'`, `PRAGMA database_list`,
	// JSON and its paths
	`{}`, `[]`, `null`, `true`, `"`, `{"a":1}`, `","admin":true,"x":"`, `}`, `]`, `\u0000`, `$.a`, `$`, `$[0]`, `$."a"`, `/a/b`, `a.b.c`, `..`, `.`,
	`__proto__`, `constructor`, `[{"type":"string","column":"name","operator":"=","value":"' OR 1=1 --"}]`,
	`{"view":"observations","metrics":[{"measure":"count\"; DROP","aggregation":"count"}],"fromTimestamp":"2026-01-01T00:00:00Z","toTimestamp":"2027-01-01T00:00:00Z"}`,
	// Templates, paths, markup, lines of logs
	`{{7*7}}`, `${7*7}`, `@@@langfusePrompt:name=x|label=y@@@`, `@@@langfuseMedia:type=x|id=y|source=z@@@`, `../../etc/passwd`, `..\..\x`, `/`, `a/b`, `C:\x`,
	`<script>alert(1)</script>`, `&lt;`, "a\r\nSet-Cookie: x=1", "a\nb", "\t", `%00`, `%2e%2e`, `%zz`, `+`, ` `, `a b`, `#`, `&`, `=`,
	// Characters
	"", "\x00", "a\x00b", "\ufeff", "\u202e", "\u2028", "é", "e\u0301", "日本語", "😀", "\U0010ffff", "\ufffd", "\x7f", "\x1b[31m",
	strings.Repeat("x", 1000), strings.Repeat("ü", 300), strings.Repeat("'", 501), strings.Repeat("(", 2000),
	// Numbers and times that are none
	"0", "-1", "1e309", "9223372036854775808", "-9223372036854775809", "0x10", "1_000", "NaN", "Infinity", "1.5", "٣",
	"0000-00-00T00:00:00Z", "9999-12-31T23:59:59.999Z", "2026-02-30T00:00:00Z", "2026-11-15T24:00:00Z", "1970-01-01", "now()", "-292277022399-01-01T00:00:00Z",
}

// oddNumbers are numbers of JSON that fit nowhere.
var oddNumbers = []string{
	"0", "-0", "-1", "1e308", "-1e308", "1e-400", "9007199254740993", "9223372036854775807", "9223372036854775808",
	"-9223372036854775809", "0.1", "1e5", "123456789012345678901234567890", "1.0", "2147483648",
}
