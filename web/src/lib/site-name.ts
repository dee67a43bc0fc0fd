// The name of the instance that the pages are of, as its operator gave it.
import { page } from "$app/state";

export const siteName = (): string => page.data.site?.name ?? "Plinth";
