import { expect } from "vitest";
import { type OpenPage, openPage } from "./open-page.js";

/** `npm run long -- explorer` runs all tests; otherwise some are skipped. */
export const isLong = process.env.PLINTH_EXPLORER !== undefined;

/** The explorer in a browser. */
export interface ExplorerPage extends OpenPage {
  /** Shows a view, and waits until all of it is loaded. */
  visit(path: string): Promise<void>;
  /** What the view shows, as text. */
  text(): Promise<string>;
  /** Waits until the view shows a text. */
  shows(text: string | RegExp): Promise<void>;
}

/** Opens the explorer of a node. */
export async function openExplorer(
  url: string,
  { path = "", ...settings }: { readonly path?: string; readonly [name: string]: unknown } = {},
): Promise<ExplorerPage> {
  const opened = await openPage(`${url}/explorer#/${path}`, settings);
  const { page } = opened;
  const settled = async () => {
    try {
      await page.waitForSelector("main:not([aria-busy]):not(:has([aria-busy])) h1");
    } catch (cause) {
      const busy = await page.locator("[aria-busy]").allInnerTexts();
      throw new Error(`${page.url()} is still loading: ${busy.join(" | ").slice(0, 1000)}`, {
        cause,
      });
    }
  };
  await settled();
  const text = () => page.innerText("main");
  return {
    ...opened,
    text,
    async visit(next) {
      // The listener of the page runs first, and marks what is loading.
      await page.evaluate(`(() => {
        const hash = ${JSON.stringify(`#/${next}`)};
        if (location.hash === hash) return undefined;
        const shown = new Promise((resolve) => {
          addEventListener("hashchange", () => setTimeout(resolve, 0), { once: true });
        });
        location.hash = hash;
        return shown;
      })()`);
      await settled();
    },
    async shows(expected) {
      const shown = expect.poll(text, { timeout: 20_000 });
      await (typeof expected === "string" ? shown.toContain(expected) : shown.toMatch(expected));
    },
  };
}

/** Adds a file, as a reader who chooses it does. */
export async function addFile({ page, visit, shows }: ExplorerPage, name: string, text: string) {
  await visit("files");
  await page.setInputFiles("#files", {
    name,
    mimeType: "application/json",
    buffer: Buffer.from(text),
  });
  await shows(`${name}: `);
}

/** The hosts of everything that a page has requested. */
export function hostsOf({ requests }: OpenPage): readonly string[] {
  return [
    ...new Set(
      requests.filter((each) => !each.startsWith("blob:")).map((each) => new URL(each).host),
    ),
  ];
}
