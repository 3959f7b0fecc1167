// What applications give as metadata, and what they read back. Nested objects come back as dotted paths.

import { condition } from "./support.js";

export const same = {
  plain: ["text", "text"],
  non_ascii: ["Grüße 日本 🚀", "Grüße 日本 🚀"],
  integer: [42, 42],
  zero: [0, 0],
  negative: [-7, -7],
  float: [1.5, 1.5],
  true: [true, true],
  false: [false, false],
  list: [[1, "a", true, null], [1, "a", true, null]],
  date: [new Date("2026-01-02T03:04:05.678Z"), "2026-01-02T03:04:05.678Z"],
  largest: [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  "dotted.key": ["dotted", "dotted"],
  "with blank": ["blank", "blank"],
};

// The library of today sends strings as they are, so that what looks like JSON is read as such; and it leaves some out.
export const different = {
  number_text: ["42", 42],
  boolean_text: ["true", true],
  quoted: ['"q"', "q"],
  empty: ["", undefined],
  null: [null, undefined],
  undefined: [undefined, undefined],
  bigint: [2n ** 70n, "<failed to serialize>"],
};

export const nested = { a: { b: 1, c: ["x", null], ü: "ö" } };
export const nestedRead = { "nested.a.b": 1, "nested.a.c": ["x", null], "nested.a.ü": "ö" };

/** The metadata of an application. */
export const given = (table) => ({ ...Object.fromEntries(Object.entries(table).map(([key, [value]]) => [key, value])), nested });

export const filters = [
  [condition("stringObject", "metadata", "=", "text", "plain"), true],
  [condition("stringObject", "metadata", "=", '"text"', "plain"), false],
  [condition("stringObject", "metadata", "contains", "日本", "non_ascii"), true],
  [condition("stringObject", "metadata", "starts with", "Grü", "non_ascii"), true],
  [condition("stringObject", "metadata", "does not contain", "Grü", "non_ascii"), false],
  [condition("numberObject", "metadata", "=", 42, "integer"), true],
  [condition("numberObject", "metadata", ">", 42, "integer"), false],
  [condition("numberObject", "metadata", "<=", 1.5, "float"), true],
  [condition("stringObject", "metadata", "=", "true", "true"), true],
  [condition("numberObject", "metadata", "=", 1, "nested.a.b"), true],
  [condition("stringObject", "metadata", "=", "ö", "nested.a.ü"), true],
  [condition("stringObject", "metadata", "=", "dotted", "dotted.key"), true],
  [condition("stringObject", "metadata", "=", "blank", "with blank"), true],
  [condition("numberObject", "metadata", "=", 0, "zero"), true],
  [condition("numberObject", "metadata", "<", 0, "negative"), true],
  [condition("stringObject", "metadata", "=", "false", "false"), true],
  [condition("stringObject", "metadata", "contains", "2026-01-02", "date"), true],
  [condition("stringObject", "metadata", "contains", '"a"', "list"), true],
  [condition("numberObject", "metadata", "=", Number.MAX_SAFE_INTEGER, "largest"), true],
  [condition("numberObject", "metadata", ">", Number.MAX_SAFE_INTEGER, "largest"), false],
  [condition("stringObject", "metadata", "=", "null", "null"), false],
  [condition("stringObject", "metadata", "=", "", "no such key"), false],
];
