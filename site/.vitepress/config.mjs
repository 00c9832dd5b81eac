import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { GUIDES } from "./guides.mjs";
import { releasePage } from "./release-page.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const docs = join(root, "docs");
const { version } = JSON.parse(readFileSync(join(root, "lerna.json"), "utf8"));
const { repository } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const forge = repository.url.replace(/^git\+/, "").replace(/\.git$/, "");
const release = `v${version.split(".").slice(0, 2).join(".")}`;
const dist = process.env.PLINTH_SITE ?? join(root, "site/dist");

export default defineConfig({
  title: "Plinth",
  description: "An Ethereum node for private networks, assembled from plugins.",
  head: [["link", { rel: "icon", href: "data:," }]],
  srcDir: docs,
  outDir: join(dist, release),
  cacheDir: join(root, "site/.cache"),
  base: `/${release}/`,
  rewrites: { "adr/README.md": "adr/index.md" },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    nav: [
      { text: "Guides", link: "/operators/dev-chain" },
      { text: "Plugins", link: "/plugins/first-plugin" },
      { text: "Reference", link: "/reference/options" },
      { text: "Architecture", link: "/architecture" },
      { text: "Changelog", link: `${forge}/blob/main/CHANGELOG.md` },
      { component: "Releases", props: { release } },
    ],
    sidebar: [...GUIDES, decisions()],
    socialLinks: [{ icon: "github", link: forge }],
  },
  buildEnd: () => writeFileSync(join(dist, "index.html"), releasePage(readdirSync(dist))),
  markdown: {
    attrs: { disable: true },
    anchor: { slugify },
    config(md) {
      escapeTags(md);
      renderDiagrams(md);
      linkToForge(md);
    },
  },
});

/** The anchor of a heading as the forge makes it, so that links work there and here. */
function slugify(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

/** The pages of decisions, in their order. */
function decisions() {
  const index = readFileSync(join(docs, "adr/README.md"), "utf8");
  const rows = [...index.matchAll(/^\| \[(\d+)\]\((.+?)\.md\) \| (.+?) \|/gm)];
  const items = rows.map(([, number, page, title]) => ({
    text: `${number} ${title.replaceAll("`", "").trim()}`,
    link: `/adr/${page}`,
  }));
  return { text: "Decisions", collapsed: true, items: [{ text: "All", link: "/adr/" }, ...items] };
}

/** Pages contain no HTML but comments: `<PATH>` is a placeholder. */
function escapeTags(md) {
  const escapeTag = (tokens, index) => {
    const { content } = tokens[index];
    return content.startsWith("<!--") ? content : md.utils.escapeHtml(content);
  };
  md.renderer.rules.html_inline = escapeTag;
  md.renderer.rules.html_block = escapeTag;
}

/** Diagrams are drawn in the browser, from the text that the forge draws them from. */
function renderDiagrams(md) {
  const fence = md.renderer.rules.fence;
  md.renderer.rules.fence = (tokens, index, ...rest) => {
    const { info, content } = tokens[index];
    if (info.trim() !== "mermaid") return fence(tokens, index, ...rest);
    return `<Diagram text="${encodeURIComponent(content)}" />`;
  };
}

/** Links to files outside the documentation lead to the forge. */
function linkToForge(md) {
  md.core.ruler.push("link-to-forge", ({ tokens, env }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const target = token.type === "link_open" ? (token.attrGet("href") ?? "") : "";
      if (target === "" || /^[a-z]+:|^[#/]/.test(target)) continue;
      const [path, anchor = ""] = target.split("#");
      const file = normalize(join("docs", dirname(env.relativePath), path));
      const isPage = file.startsWith("docs/") && file.endsWith(".md");
      if (isPage || !existsSync(join(root, file))) continue;
      token.attrSet("href", `${forge}/blob/main/${file}${anchor === "" ? "" : `#${anchor}`}`);
    }
  });
}
