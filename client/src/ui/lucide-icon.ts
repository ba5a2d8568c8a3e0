import { createElement, type SVGProps } from "react";

type IconData = { name: string; node: readonly (readonly [tag: string, attributes: { key: string }])[] };

/**
 * Makes an icon's component of Lucide's data, in place of Lucide's own `createLucideIcon` (see build/lean-icons.ts):
 * what its icons look like can be said by class names only, and 1.2 kB less are loaded for every page.
 */
// biome-ignore lint/style/noDefaultExport: Lucide imports it so.
export default function createIcon({ name, node }: IconData) {
  const children = node.map(([tag, attributes]) => createElement(tag, attributes));
  return function Icon({ className, ...props }: SVGProps<SVGSVGElement>) {
    return createElement(
      "svg",
      {
        xmlns: "http://www.w3.org/2000/svg",
        width: 24,
        height: 24,
        viewBox: "0 0 24 24",
        fill: "none",
        stroke: "currentColor",
        strokeWidth: 2,
        strokeLinecap: "round",
        strokeLinejoin: "round",
        // An icon without a name of its own says nothing.
        "aria-hidden": props["aria-label"] ? undefined : true,
        ...props,
        className: `lucide lucide-${name} ${className ?? ""}`.trim(),
      },
      children,
    );
  };
}
