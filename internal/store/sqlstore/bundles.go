// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package sqlstore // import "github.com/weirhq/weir/internal/store/sqlstore"

import (
	"time"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/wire"
)

// Fields that are read together, or hardly ever, share a column: every column costs with every row, in the log, in the
// file and in the time of a commit, even when there is nothing in it. A bundle is an object of texts, without the empty
// ones.

// field is one text of a bundle.
type field struct {
	name string
	text *string
}

func encodeFields(fields []field) string {
	var usual [512]byte // on the stack: most bundles fit, and are copied once
	dst := usual[:0]
	for _, f := range fields {
		if *f.text == "" {
			continue
		}
		dst = wire.AppendString(appendKey(dst, f.name), *f.text)
	}
	return object(dst)
}

func decodeFields(src any, fields []field) error {
	node, err := stored(src)
	for _, f := range fields {
		*f.text = ""
	}
	for i, item := range node.Items {
		for _, f := range fields {
			if f.name == node.Keys[i] {
				*f.text = item.Text
			}
		}
	}
	return err
}

type origin model.Origin

func originFields(o *model.Origin) []field {
	return []field{
		{"source", &o.Source},
		{"service_name", &o.ServiceName},
		{"service_version", &o.ServiceVersion},
		{"scope_name", &o.ScopeName},
		{"scope_version", &o.ScopeVersion},
		{"telemetry_language", &o.TelemetryLanguage},
		{"telemetry_name", &o.TelemetryName},
		{"telemetry_version", &o.TelemetryVersion},
		{"public_key", &o.PublicKey},
		{"client_name", &o.ClientName},
		{"client_version", &o.ClientVersion},
	}
}

func encodeOrigin(o *model.Origin) string { return encodeFields(originFields(o)) }

func (o *origin) Scan(src any) error { return decodeFields(src, originFields((*model.Origin)(o))) }

// experimentDetails is what is shown of an experiment, but not asked for.
type experimentDetails model.Experiment

func experimentFields(e *model.Experiment, itemVersion *string) []field {
	return []field{
		{"description", &e.Description},
		{"metadata", &e.Metadata},
		{"item_version", itemVersion},
		{"item_expected_output", &e.ItemExpectedOutput},
		{"item_metadata", &e.ItemMetadata},
	}
}

func encodeExperiment(e *model.Experiment) string {
	if e.ID == "" && e.ItemID == "" && e.Name == "" && *e == (model.Experiment{}) {
		return "" // as almost always
	}
	var version string
	if !e.ItemVersion.IsZero() {
		version = e.ItemVersion.UTC().Format(time.RFC3339Nano)
	}
	return encodeFields(experimentFields(e, &version))
}

func (e *experimentDetails) Scan(src any) error {
	var version string
	if err := decodeFields(src, experimentFields((*model.Experiment)(e), &version)); err != nil {
		return err
	}
	e.ItemVersion = time.Time{}
	if version == "" {
		return nil
	}
	var err error
	e.ItemVersion, err = time.Parse(time.RFC3339Nano, version)
	return err
}

// billing is what the client sent about usage and cost, and the tier by which the cost was computed.
type billing model.Observation

func billingFields(o *model.Observation, usage, cost *string) []field {
	return []field{
		{"usage", usage},
		{"cost", cost},
		{"tier_id", &o.PricingTierID},
		{"tier_name", &o.PricingTierName},
	}
}

func encodeBilling(o *model.Observation) string {
	usage, cost := encodeUsage(o.ProvidedUsage), encodeCosts(o.ProvidedCost)
	return encodeFields(billingFields(o, &usage, &cost))
}

func (b *billing) Scan(src any) error {
	var usage, cost string
	if err := decodeFields(src, billingFields((*model.Observation)(b), &usage, &cost)); err != nil {
		return err
	}
	if err := (*usageMap)(&b.ProvidedUsage).Scan(usage); err != nil {
		return err
	}
	return (*costMap)(&b.ProvidedCost).Scan(cost)
}
