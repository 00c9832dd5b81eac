import { existsSync } from "node:fs";
import { join } from "node:path";
import { clientFolder, isMissing } from "./installed.js";

/** Debian's. */
const CHROMIUM = "/usr/bin/chromium";
const isChromiumMissing = !existsSync(CHROMIUM);
if (isChromiumMissing) process.stderr.write(`${CHROMIUM} is not installed\n`);

/** Whether tests in a browser are skipped. */
export const isBrowserMissing = isMissing("browser", "playwright-core") || isChromiumMissing;

/** A page in a browser, with the addresses it has requested and the errors it has thrown. */
export interface OpenPage extends AsyncDisposable {
  // biome-ignore lint/suspicious/noExplicitAny: Playwright is installed apart, and has its own types.
  readonly page: any;
  readonly requests: readonly string[];
  readonly problems: readonly string[];
}

/** Opens an address in Chromium; the settings are those of Playwright for a page. */
export async function openPage(address: string, settings: object = {}): Promise<OpenPage> {
  const client = await import(join(clientFolder("browser"), "client.mjs"));
  return client.openPage(address, CHROMIUM, settings);
}
