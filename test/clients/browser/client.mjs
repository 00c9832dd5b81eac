import { chromium } from "playwright-core";

/** Opens an address in a browser; records every request of the page. */
export async function openPage(address, executablePath) {
  // As root, browsers cannot use a sandbox.
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  const page = await browser.newPage();
  const requests = [];
  const problems = [];
  page.on("request", (request) => requests.push(request.url()));
  page.on("pageerror", (error) => problems.push(String(error)));
  await page.goto(address);
  return { page, requests, problems, [Symbol.asyncDispose]: () => browser.close() };
}
