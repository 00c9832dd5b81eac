import { describe, expect, it } from "vitest";
import { t } from "../codec/ethereum.js";
import { findUnreadSettings } from "./unread-settings.js";

const { schema } = t.object({ blockPeriodSeconds: t.integer(), epochLength: t.integer() });

describe("settings that an engine does not read", () => {
  it("are errors, which suggest a similar setting", () => {
    const json = { blockperiodseconds: 1, blockPeriodSecond: 2, policy: 0 };

    expect(findUnreadSettings(schema, json, "config.turns")).toMatchObject([
      {
        severity: "error",
        key: "config.turns.blockPeriodSecond",
        fix: "did you mean blockPeriodSeconds? Otherwise remove it, or start with --Xunknown-genesis-keys=ignore",
      },
      { severity: "error", key: "config.turns.policy" },
    ]);
  });

  it("are ignored if the engine does not declare its settings", () => {
    expect(findUnreadSettings({}, { any: 1 }, "config.turns")).toEqual([]);
    expect(findUnreadSettings(schema, undefined, "config.turns")).toEqual([]);
  });
});
