package model

import (
	"net/url"
	"regexp"
	"strings"

	"verbatim/internal/input"
	"verbatim/internal/wire"
)

var (
	azureResource   = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9-]{0,62}$`)
	azureHost       = regexp.MustCompile(`^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$`)
	azureDeployment = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)
	azureDated      = regexp.MustCompile(`^20\d\d-\d\d-\d\d(-preview)?$`)
)

// An azureModel is a deployment of a model at Azure OpenAI.
type azureModel struct {
	BaseURL    string
	Deployment string
	Name       string // canonical: azure:RESOURCE/DEPLOYMENT
}

// parseAzure reads the part of a model's name after "azure:". RESOURCE/DEPLOYMENT is a deployment behind
// the v1 API, whose versions have no dates; RESOURCE is the name of an Azure OpenAI resource or of its
// host. RESOURCE/DEPLOYMENT?api-version=2024-10-21 is one behind the API before it, in which the
// deployment is part of the address.
func parseAzure(name string) (d azureModel, err error) {
	where, query, _ := strings.Cut(name, "?")
	resource, deployment, _ := strings.Cut(where, "/")
	version := ""
	if query != "" {
		values, err := url.ParseQuery(query)
		if version = values.Get("api-version"); err != nil || version == "" || len(values) > 1 {
			return d, azureError(name)
		}
	}
	resource = strings.TrimSuffix(strings.ToLower(resource), ".openai.azure.com")
	host := resource
	if azureResource.MatchString(resource) {
		host = resource + ".openai.azure.com"
	} else if !azureHost.MatchString(resource) {
		return d, azureError(name)
	}
	if !azureDeployment.MatchString(deployment) {
		return d, azureError(name)
	}
	base := "https://" + host + "/openai"
	switch {
	case version == "":
		base += "/v1"
	case azureDated.MatchString(version):
		base += "/deployments/" + deployment + "?api-version=" + version
	case version == "preview" || version == "latest":
		base += "/v1?api-version=" + version
	default:
		return d, azureError(name)
	}
	canonical := "azure:" + resource + "/" + deployment
	if version != "" {
		canonical += "?api-version=" + version
	}
	return azureModel{BaseURL: base, Deployment: deployment, Name: canonical}, nil
}

func azureError(name string) error {
	return &input.NameError{Name: "azure:" + wire.CleanLine(name, 80), Reason: "azure needs a resource and a deployment",
		Advice: "write azure:RESOURCE/DEPLOYMENT, or azure:RESOURCE/DEPLOYMENT?api-version=2024-10-21 for the API with dated versions"}
}
