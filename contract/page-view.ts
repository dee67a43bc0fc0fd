// The header by which the web app reports to the API that a reader opens an artifact's page
// (docs/reference/contract.md §4).

/**
 * The header with which the page asks for the artifact at an address, for the load to be counted as a view. The page of one version
 * has it on the request for that version's ticket, so that only a version that is there is counted.
 */
export const pageViewHeader = "x-page-view";
