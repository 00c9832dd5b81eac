import DefaultTheme from "vitepress/theme";
import Diagram from "./diagram.vue";
import Releases from "./releases.vue";

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component("Diagram", Diagram);
    app.component("Releases", Releases);
  },
};
