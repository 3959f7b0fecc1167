// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package model // import "github.com/weirhq/weir/internal/model"

import "time"

// Media is a file that traces or dataset items refer to. Its content is kept elsewhere.
type Media struct {
	// ID follows from the content.
	ID            string `json:"-"`
	ContentType   string `json:"contentType"`
	ContentLength int64  `json:"contentLength"`
	// SHA256 is the hash of the content in base64, as clients send it.
	SHA256 string `json:"sha256"`
	// UploadedAt is zero until the content is there; the others tell how the last try went.
	UploadedAt       time.Time `json:"uploadedAt,omitzero"`
	UploadHTTPStatus int       `json:"uploadHttpStatus,omitempty"`
	UploadHTTPError  string    `json:"uploadHttpError,omitempty"`

	CreatedAt time.Time `json:"-"`
	UpdatedAt time.Time `json:"-"`
}

// IsUploaded tells whether the content is there.
func (m *Media) IsUploaded() bool {
	return !m.UploadedAt.IsZero() && m.UploadHTTPStatus >= 200 && m.UploadHTTPStatus < 300
}

// MediaLink says where a media is referred to: in a field of a trace, of an observation or of a dataset item.
type MediaLink struct {
	MediaID       string `json:"-"`
	TraceID       string `json:"traceId,omitempty"`
	ObservationID string `json:"observationId,omitempty"`
	DatasetID     string `json:"datasetId,omitempty"`
	DatasetItemID string `json:"datasetItemId,omitempty"`
	Field         string `json:"field"`
}

// MediaReference is a place in a dataset item where a media is referred to.
type MediaReference struct {
	Field           string
	ReferenceString string
	// JSONPath leads to the text in the field, such as $['gallery'][0].
	JSONPath string
	MediaID  string
}
