import address from "@mermaid-js/tiny/dist/mermaid.tiny.js?url";

let loading;

/** Loads Mermaid once, from a file beside the pages: bundling it takes two minutes. */
export function loadMermaid() {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = address;
    script.onload = () => resolve(globalThis.mermaid);
    script.onerror = () => reject(new Error(`${address} cannot be loaded`));
    document.head.append(script);
  });
  return loading;
}
