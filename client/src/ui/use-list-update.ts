import { useLocation, useNavigation } from "react-router-dom";

/**
 * Is this page's list on its way for another address, such as one with another filter? What is on the screen stays
 * until then.
 */
export function useListUpdate(): boolean {
  const { pathname } = useLocation();
  return useNavigation().location?.pathname === pathname;
}
