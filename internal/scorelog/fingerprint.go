// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package scorelog // import "github.com/weirhq/weir/internal/scorelog"

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"github.com/weirhq/weir/internal/model"
)

// fingerprint is an id made from everything that a score says. The same event gives the same id on every
// attempt and on every collector it passes.
func fingerprint(s *model.Score) string {
	hash := sha256.New()
	for _, part := range []string{
		s.Name, string(s.DataType), strconv.FormatFloat(s.Number, 'g', -1, 64), s.Text,
		s.TraceID, s.ObservationID, s.SessionID, s.ExperimentID,
		string(s.Source), s.Comment, s.ConfigID, s.QueueID, s.AuthorUserID, s.Environment, s.Metadata,
		strconv.FormatInt(s.Timestamp.UnixNano(), 10),
	} {
		hash.Write([]byte(strconv.Itoa(len(part))))
		hash.Write([]byte{':'})
		hash.Write([]byte(part))
	}
	return hex.EncodeToString(hash.Sum(nil)[:16])
}
