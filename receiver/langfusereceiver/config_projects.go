// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfusereceiver // import "github.com/weirhq/weir/receiver/langfusereceiver"

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.opentelemetry.io/collector/config/configopaque"

	"github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
)

// ProjectConfig is a tenant.
type ProjectConfig struct {
	ID string `mapstructure:"id"`
	// Name is shown to people; the id where it is empty.
	Name         string             `mapstructure:"name"`
	Organization OrganizationConfig `mapstructure:"organization"`
	// Metadata is shown with the project.
	Metadata map[string]any `mapstructure:"metadata"`
	Keys     []KeyConfig    `mapstructure:"keys"`

	// prevent unkeyed literal initialization
	_ struct{}
}

// OrganizationConfig is whom a project belongs to.
type OrganizationConfig struct {
	ID   string `mapstructure:"id"`
	Name string `mapstructure:"name"`

	// prevent unkeyed literal initialization
	_ struct{}
}

// KeyConfig is a key pair of a project.
type KeyConfig struct {
	PublicKey string              `mapstructure:"public_key"`
	SecretKey configopaque.String `mapstructure:"secret_key"`
	// Access is what the pair is good for: read, write, or both, which is also meant by nothing.
	Access []string `mapstructure:"access"`

	// prevent unkeyed literal initialization
	_ struct{}
}

const (
	accessRead  = "read"
	accessWrite = "write"

	// developmentPublicKey and developmentSecretKey are in the configuration that comes with the program. Everybody knows
	// them, so they are good on the own machine only.
	developmentPublicKey = "pk-lf-weir-development"
	developmentSecretKey = "sk-lf-weir-development" //nolint:gosec // known to all, and treated so

	maxNameLength = 200
)

func validateProjects(projects []ProjectConfig) error {
	if len(projects) == 0 {
		return errors.New("`projects` must have at least one project with a pair of keys")
	}
	var errs []error
	ids, keys := map[string]bool{}, map[string]bool{}
	for i := range projects {
		p, at := &projects[i], fmt.Sprintf("`projects::%d", i)
		switch {
		case p.ID == "":
			errs = append(errs, fmt.Errorf("%s::id` must not be empty", at))
		case len(p.ID) > maxNameLength:
			errs = append(errs, fmt.Errorf("%s::id` must have at most %d characters", at, maxNameLength))
		case ids[p.ID]:
			errs = append(errs, fmt.Errorf("%s::id` is %q, which is the id of another project too", at, p.ID))
		}
		ids[p.ID] = true
		if len(p.Keys) == 0 {
			errs = append(errs, fmt.Errorf("%s::keys` must have at least one pair of keys", at))
		}
		if _, err := json.Marshal(p.Metadata); err != nil {
			errs = append(errs, fmt.Errorf("%s::metadata` cannot be shown as JSON: %w", at, err))
		}
		for k := range p.Keys {
			errs = append(errs, p.Keys[k].validate(fmt.Sprintf("%s::keys::%d", at, k), keys))
		}
	}
	return errors.Join(errs...)
}

func (k *KeyConfig) validate(at string, known map[string]bool) error {
	var errs []error
	switch {
	case k.PublicKey == "":
		errs = append(errs, fmt.Errorf("%s::public_key` must not be empty", at))
	case strings.ContainsAny(k.PublicKey, ": \t\r\n"):
		errs = append(errs, fmt.Errorf("%s::public_key` must have no colon and no blank, or nobody could log in with it", at))
	case known[k.PublicKey]:
		errs = append(errs, fmt.Errorf("%s::public_key` is there twice: a key pair belongs to one project", at))
	}
	known[k.PublicKey] = true
	if k.SecretKey == "" {
		errs = append(errs, fmt.Errorf("%s::secret_key` must not be empty", at))
	}
	if k.Access != nil && len(k.Access) == 0 {
		errs = append(errs, fmt.Errorf("%s::access` must name `read` or `write`; leave it out for both", at))
	}
	for _, access := range k.Access {
		if access != accessRead && access != accessWrite {
			errs = append(errs, fmt.Errorf("%s::access` is a list of `read` and `write`, found %q", at, access))
		}
	}
	return errors.Join(errs...)
}

// validateDevelopmentKeys keeps keys that everybody knows off the network.
func (c *Config) validateDevelopmentKeys() error {
	if c.isLoopback() || !c.hasDevelopmentKeys() {
		return nil
	}
	return fmt.Errorf("`projects` has the keys for development, which everybody knows, and `endpoint` %s can be reached from other machines: set keys of your own", c.NetAddr.Endpoint)
}

func (c *Config) hasDevelopmentKeys() bool {
	for i := range c.Projects {
		for _, key := range c.Projects[i].Keys {
			if key.PublicKey == developmentPublicKey || key.SecretKey == developmentSecretKey {
				return true
			}
		}
	}
	return false
}

// tenants are the projects and all their keys. The configuration must be valid.
func (c *Config) tenants() ([]*web.Project, []web.Key) {
	projects := make([]*web.Project, 0, len(c.Projects))
	var keys []web.Key
	for i := range c.Projects {
		p := c.Projects[i].project()
		projects = append(projects, p)
		for _, key := range c.Projects[i].Keys {
			keys = append(keys, web.Key{
				Project: p, PublicKey: key.PublicKey, SecretKey: string(key.SecretKey),
				MayRead: key.may(accessRead), MayWrite: key.may(accessWrite),
			})
		}
	}
	return projects, keys
}

func (p *ProjectConfig) project() *web.Project {
	project := &web.Project{
		ID: p.ID, Name: p.Name, OrganizationID: p.Organization.ID, OrganizationName: p.Organization.Name,
		Metadata: json.RawMessage("{}"),
	}
	if project.Name == "" {
		project.Name = p.ID
	}
	if project.OrganizationID == "" {
		project.OrganizationID = "default"
	}
	if project.OrganizationName == "" {
		project.OrganizationName = project.OrganizationID
	}
	if metadata, err := json.Marshal(p.Metadata); err == nil && len(p.Metadata) > 0 {
		project.Metadata = metadata
	}
	return project
}

func (k *KeyConfig) may(access string) bool {
	return len(k.Access) == 0 || slices.Contains(k.Access, access)
}
