import { type Call, type Codec, DecodeError, messageOf, method, RpcError, t } from "@plinth/core";

const TEXT = "Invalid plug in name params";

const pluginName: Codec<string> = {
  decode(json, path = "") {
    if (typeof json === "string") return json;
    throw new DecodeError(path, "the name of a plugin", TEXT);
  },
  encode: (value) => value,
  schema: { type: "string" },
};

/** `plugins_reloadPluginConfig`: makes a plugin reload its files. */
export const reloadPluginConfig = method({
  summary: "Makes a plugin reload its files; plugins without files ignore it.",
  params: { plugin: pluginName },
  result: t.text,
  example: { params: ["rpc-eth"], result: "Success" },
  async handle({ plugin }, { plugins }: Call) {
    if (!plugins.names().includes(plugin)) throw new RpcError(-60000, "Plugin not found");
    try {
      await plugins.reload(plugin);
    } catch (error) {
      throw new RpcError(-32000, `${plugin}: ${messageOf(error)}`);
    }
    return "Success";
  },
});
