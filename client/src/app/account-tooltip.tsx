import { Tooltip } from "react-tooltip";
import "react-tooltip/dist/react-tooltip.css";

/** The display name on the avatar. Styles come from the file: injected ones would need a weaker CSP. */
export function AccountTooltip() {
  return <Tooltip id="account" place="bottom" disableStyleInjection="core" />;
}
