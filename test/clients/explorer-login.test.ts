import { writeFileSync } from "node:fs";
import { hashPassword } from "@plinth/core/primitives";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.js";
import { type DevChain, startDevChain } from "./explorer-chain.js";
import { type ExplorerPage, openExplorer } from "./explorer-page.js";
import { isBrowserMissing } from "./open-page.js";

const PASSWORD = "correct horse";

describe.skipIf(isBrowserMissing)("the explorer of a node with authentication", () => {
  const folder = temporaryFolder();
  let chain: DevChain;
  let explorer: ExplorerPage;

  beforeAll(async () => {
    const hash = await hashPassword(PASSWORD, 4);
    const users = folder.file("users.toml");
    const user = (name: string, permissions: readonly string[]) =>
      `[Users.${name}]\npassword = "${hash}"\npermissions = ${JSON.stringify(permissions)}\n`;
    writeFileSync(users, user("admin", ["*:*"]) + user("reader", ["eth:*", "net:*"]), {
      mode: 0o600,
    });
    chain = await startDevChain([
      "--rpc-http-authentication-enabled",
      `--rpc-http-authentication-credentials-file=${users}`,
      "--rpc-ws-authentication-enabled",
      `--rpc-ws-authentication-credentials-file=${users}`,
    ]);
    explorer = await openExplorer(chain.node.url);
  });
  afterAll(async () => {
    await explorer[Symbol.asyncDispose]();
    await chain[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  it("asks for a login, and shows nothing of the chain before", async () => {
    await explorer.shows("needs a token. Log in");

    expect(await explorer.text()).not.toContain("Latest blocks");
  });

  it("rejects a wrong password", async () => {
    await logIn("admin", "wrong");

    await explorer.shows("The user or the password is wrong.");
  });

  it("rejects a wrong token", async () => {
    await explorer.visit("login");
    await explorer.page.fill("#token", "e30.e30.wrong");
    await explorer.page.click("text=Use the token");
    await explorer.page.waitForSelector("h1:has-text('Session')");
    await explorer.visit("blocks");

    await explorer.shows("The token is not accepted, or lacks the permission eth:blockNumber.");
    await logOut();
  });

  it("shows a reader what the token allows, and names what it does not", async () => {
    await logIn("reader", PASSWORD);
    await explorer.shows("doctor: no: it needs the permission plinth:status");
    await explorer.shows("Blocks, transactions, addresses, tokens: yes");
    await explorer.visit("");
    await explorer.shows("Latest blocks");
    await explorer.visit("doctor");

    await explorer.shows("lacks the permission plinth:status");
    await logOut();
  });

  it("shows everything to an administrator, by polling", async () => {
    await logIn("admin", PASSWORD);
    await explorer.visit("doctor");
    await explorer.shows("No problems");

    await explorer.page.waitForSelector(".state[data-state=polling]");
  });

  it("keeps the token in the session only", async () => {
    const { page } = explorer;
    const storage = await page.evaluate("JSON.stringify({ ...localStorage })");
    const cookies = await page.evaluate("document.cookie");
    const token = String(await page.evaluate("sessionStorage.getItem('plinth-token')"));

    expect(token.length).toBeGreaterThan(50);
    expect(`${storage}${cookies}${page.url()}`).not.toContain(token);
    expect(explorer.requests.join(" ")).not.toContain(token);
    expect(explorer.problems).toEqual([]);
  });

  async function logIn(user: string, password: string): Promise<void> {
    await explorer.visit("login");
    await explorer.page.fill("#user", user);
    await explorer.page.fill("#password", password);
    await explorer.page.click("form:has(#user) button");
  }

  async function logOut(): Promise<void> {
    await explorer.visit("login");
    await explorer.page.click("text=Log out");
    await explorer.page.waitForSelector("h1:has-text('Log in')");
  }
});
