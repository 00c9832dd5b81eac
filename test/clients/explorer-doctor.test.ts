import explorer from "@plinth/plugin-explorer";
import transportHttp from "@plinth/plugin-transport-http";
import { describe, expect, it } from "vitest";
import { STANDSTILLS, stallNetwork } from "../support/standstills.js";
import { hostsOf, isLong, openExplorer } from "./explorer-page.js";
import { isBrowserMissing } from "./open-page.js";

/** Every way in which a network stalls, or one of them. */
const NAMES = Object.keys(STANDSTILLS);
const names = isLong ? NAMES : NAMES.slice(0, 1);
const OPTIONS = {
  rpcHttpEnabled: true,
  rpcHttpPort: 0,
  rpcHttpApi: ["ETH", "PLINTH", "QBFT"],
  explorerEnabled: true,
};

describe.skipIf(isBrowserMissing)("the doctor of a stalled network", () => {
  it.each(names)("because %s says so, what it means, and what to do", async (name) => {
    const plugins = [transportHttp, explorer];
    await using stalled = await stallNetwork(name, { plugins, options: OPTIONS });
    const { rpc } = stalled.mesh.node(stalled.asked).node;
    const port = rpc.endpoints().find((each) => each.name === "json-rpc")?.address?.port;

    await using page = await openExplorer(`http://127.0.0.1:${port}`, { path: "doctor" });

    for (const text of stalled.expected) await page.shows(text);
    await page.shows(/What it means: .+\n+What to do: .+/);
    expect(await page.page.locator(".findings li").count()).toBeGreaterThan(0);
    expect(hostsOf(page)).toEqual([`127.0.0.1:${port}`]);
    expect(page.problems).toEqual([]);
  });
});
