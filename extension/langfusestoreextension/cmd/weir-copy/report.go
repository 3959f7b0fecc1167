// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/weirhq/weir/internal/store"
)

// table is what became of the rows of one kind.
type table struct {
	name string
	// rows are those in the file, of which some were copied, some were there before, and some are older than what is kept.
	rows, copied, before, tooOld int
	// found is how many are there now.
	found, missing int
}

// report prints the tables, and fails when the counts differ.
func report(out io.Writer, tables []table, stats store.Stats) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\tin the file\tcopied\tthere before\ttoo old\tthere now\tmissing\t")
	var errs []error
	counted := map[string]int64{"observations": stats.Observations, "scores": stats.Scores}
	for _, t := range tables {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t\n", t.name, t.rows, t.copied, t.before, t.tooOld, t.found, t.missing)
		if t.missing > 0 {
			errs = append(errs, fmt.Errorf("%d of %d %s are not there: run it again", t.missing, t.rows, t.name))
		}
		if doubled := t.found - (t.rows - t.tooOld - t.missing); doubled > 0 {
			errs = append(errs, fmt.Errorf("there are %d %s too many: some are there more than once", doubled, t.name))
		}
		if want, isKnown := counted[t.name]; isKnown && want != int64(t.rows) {
			errs = append(errs, fmt.Errorf("the file has %d %s, but %d were read", want, t.name, t.rows))
		}
	}
	return errors.Join(append([]error{w.Flush()}, errs...)...)
}
