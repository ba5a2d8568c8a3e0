import { useLocation, useNavigation } from "react-router-dom";

/** Whether this page's list is loading for a changed query, such as another filter. The old list stays until then. */
export function useListUpdate(): boolean {
  const { pathname } = useLocation();
  return useNavigation().location?.pathname === pathname;
}
