import { cosmiconfig, defaultLoaders, type LoaderResult, type PublicExplorer } from "cosmiconfig";
import { verifyConfigRunnable } from "./typescript-files.js";

/** cosmiconfig in one folder; the parser of a format is loaded with the first file of it. */
export function createExplorer(
  places: readonly string[],
  isYaml: (path: string) => boolean,
): PublicExplorer {
  const loadJs = defaultLoaders[".js"];
  const loadYaml = defaultLoaders[".yaml"];
  const loadToml = (_path: string, content: string) => parseToml(content);
  return cosmiconfig("plinth", {
    searchPlaces: [...places],
    searchStrategy: "none",
    // An empty file is reported, like an explicitly given one.
    ignoreEmptySearchPlaces: false,
    loaders: {
      ".ts": (path: string, content: string) => {
        verifyConfigRunnable(path);
        return loadJs(path, content);
      },
      noExt: (path: string, content: string) => (isYaml(path) ? loadYaml : loadToml)(path, content),
      ".toml": loadToml,
      // Whatever its extension, a file of no other format is TOML.
      default: loadToml,
    },
  });
}

async function parseToml(content: string): Promise<LoaderResult> {
  const { parse } = await import("smol-toml");
  // Amounts of wei do not fit into a number.
  return parse(content, { integersAsBigInt: "asNeeded" });
}
