import { expect, test } from "bun:test";
import { leftOutReasons } from "@plinth/contract/publishing/references/left-out";
import { secretKinds } from "@plinth/contract/publishing/likely-secrets";

import { documentFilesTexts } from "./document-files.ts";

const { en, de } = documentFilesTexts.languages;

test("every kind of secret has a German name, and English has the contract's", () => {
  const kinds = secretKinds.map(({ name }) => name);
  expect(kinds.filter((kind) => de.secretKind({ kind }) === kind)).toEqual([]);
  expect(kinds.map((kind) => en.secretKind({ kind }))).toEqual(kinds);
});

test("every reason why a file is left out is said in German; a reason in German stays", () => {
  const reasons = [...Object.values(leftOutReasons), "its path must be relative"];
  const german = reasons.map((reason) => de.skippedBecause({ reason }));
  expect(german).toEqual([
    "ihr Pfad beginnt an der Wurzel einer Website",
    "Dateien dieses Typs werden nicht veröffentlicht",
    "sie ist größer als 20 MB",
    "eine Version hat höchstens 500 Dateien",
    "die Dateien einer Version haben zusammen höchstens 100 MB",
    "sie kann nicht gelesen werden",
    "sie ist versteckt",
    "sie liegt in node_modules",
    "sie führt zu einem Ordner",
    "nichts im Dokument nennt sie",
    "eine andere Datei hat in Unicodes Normalform C denselben Pfad",
    "ihr Pfad ist nicht erlaubt",
  ]);
  expect(german.map((reason) => de.skippedBecause({ reason }))).toEqual(german);
});
