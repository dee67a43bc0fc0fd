// The plans, as people read them.
export { planNames } from "@plinth/contract/plans";
