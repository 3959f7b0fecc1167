// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfusestoreexporter // import "github.com/weirhq/weir/exporter/langfusestoreexporter"

import (
	"errors"

	"go.opentelemetry.io/collector/consumer/consumererror"

	"github.com/weirhq/weir/internal/store"
)

// verdict tells the pipeline whether sending again can help. What the store did not name, and the end of a context, is
// passed on as it is: it says nothing against another attempt.
func verdict(err error) error {
	switch {
	case err == nil, errors.Is(err, store.ErrUnavailable), errors.Is(err, store.ErrTooExpensive):
		// What was too slow this time, as the look-up of a model on a busy machine, need not be the next time.
		return err
	case errors.Is(err, store.ErrInvalid), errors.Is(err, store.ErrConflict), errors.Is(err, store.ErrNotFound):
		return consumererror.NewPermanent(err)
	default:
		return err
	}
}

// together is the verdict on a batch of which every project got its part. As long as one part may be sent again, the
// whole batch is: writing the others twice changes nothing.
func together(verdicts []error) error {
	var again, never []error
	for _, err := range verdicts {
		if consumererror.IsPermanent(err) {
			never = append(never, err)
		} else {
			again = append(again, err)
		}
	}
	if err := errors.Join(again...); err != nil {
		return err
	}
	return errors.Join(never...)
}

// isSettled tells whether a batch is done with, so that what was left out of it may be counted: once, and not at every
// attempt.
func isSettled(err error) bool { return err == nil || consumererror.IsPermanent(err) }
