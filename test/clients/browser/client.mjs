import { chromium } from "playwright-core";

/** Opens an address in a browser; records every request of the page. */
export async function openPage(address, executablePath, settings = {}) {
  // As root, browsers cannot use a sandbox.
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  const page = await browser.newPage(settings);
  const requests = [];
  const problems = [];
  page.on("request", (request) => requests.push(request.url()));
  page.on("websocket", (socket) => requests.push(socket.url()));
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("dialog", (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("console", (message) => {
    if (/content security policy/i.test(message.text())) problems.push(message.text());
  });
  await page.goto(address);
  return { page, requests, problems, [Symbol.asyncDispose]: () => browser.close() };
}
