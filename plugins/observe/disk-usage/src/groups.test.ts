import { TABLES } from "@plinth/core/storage";
import { expect, it } from "vitest";
import { CORE_TABLES, GROUPS, groupOfFile, groupOfTable } from "./groups.js";

it("has a group for every table of the core", () => {
  expect(Object.keys(CORE_TABLES).sort()).toEqual(Object.keys(TABLES).sort());
  for (const name of Object.values(TABLES)) expect(GROUPS).toHaveProperty(groupOfTable(name));
});

it.each([
  ["bodies", "blocks"],
  ["trie-nodes", "state-tries"],
  ["history", "history"],
  ["log-index.postings", "log-index"],
  ["address-index.entries", "address-index"],
  ["changes.records", "stream"],
  ["follow.position", "stream"],
  ["privacy.state", "privacy"],
  ["consensus-qbft.journal", "plugins"],
  ["a-table-of-a-later-version", "other"],
])("puts the table %s into the group %s", (name, group) => {
  expect(groupOfTable(name)).toBe(group);
});

it.each([
  ["caches", "log-index"],
  ["enclave", "privacy"],
  ["database.damaged-2026-01-01T00-00-00-000Z", "set-aside"],
  ["database.before-restore-2026-01-01T00-00-00-000Z", "set-aside"],
  ["database-head.json", "files"],
  ["key", "files"],
])("puts the file %s into the group %s", (name, group) => {
  expect(groupOfFile(name)).toBe(group);
});
