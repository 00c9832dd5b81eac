import { describe, expect, it } from "vitest";
import { t } from "../codec/ethereum.js";
import { findUnreadSettings } from "./unread-settings.js";

const { schema } = t.object({ blockPeriodSeconds: t.integer(), epochLength: t.integer() });

describe("settings that an engine does not read", () => {
  it("are errors, which name another one where that is meant", () => {
    const json = { blockperiodseconds: 1, blockPeriodSecond: 2, policy: 0 };

    expect(findUnreadSettings(schema, json, "config.turns")).toMatchObject([
      {
        severity: "error",
        key: "config.turns.blockPeriodSecond",
        fix: "write blockPeriodSeconds if that is meant, or leave it out, or start with --Xunknown-genesis-keys=ignore",
      },
      { severity: "error", key: "config.turns.policy" },
    ]);
  });

  it("are none where the engine says nothing about its settings", () => {
    expect(findUnreadSettings({}, { any: 1 }, "config.turns")).toEqual([]);
    expect(findUnreadSettings(schema, undefined, "config.turns")).toEqual([]);
  });
});
