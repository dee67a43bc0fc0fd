// All payloads.
import { addresses } from "./addresses.ts";
import { ancestors } from "./ancestors.ts";
import { clobbering } from "./clobbering.ts";
import { components } from "./components.ts";
import { diagrams } from "./diagrams.ts";
import { events } from "./events.ts";
import { forms } from "./forms.ts";
import { formulas } from "./formulas.ts";
import { heads } from "./heads.ts";
import { math } from "./math.ts";
import { messages } from "./messages.ts";
import { modules } from "./modules.ts";
import { mutation } from "./mutation.ts";
import { navigation } from "./navigation.ts";
import { nesting } from "./nesting.ts";
import { network } from "./network.ts";
import type { Payload } from "./payload.ts";
import { pollution } from "./pollution.ts";
import { popups } from "./popups.ts";
import { rtc } from "./rtc.ts";
import { scripts } from "./scripts.ts";
import { speculation } from "./speculation.ts";
import { storage } from "./storage.ts";
import { styles } from "./styles.ts";
import { svg } from "./svg.ts";
import { syntax } from "./syntax.ts";
import { texts } from "./texts.ts";
import { workers } from "./workers.ts";

export const payloads: readonly Payload[] = [
  scripts,
  events,
  svg,
  math,
  mutation,
  nesting,
  heads,
  forms,
  styles,
  addresses,
  clobbering,
  pollution,
  speculation,
  rtc,
  workers,
  messages,
  storage,
  ancestors,
  navigation,
  popups,
  network,
  modules,
  syntax,
  formulas,
  diagrams,
  components,
  texts,
].flat();
