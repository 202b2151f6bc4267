/** The state of the admin page, which is in its URL so that links can carry it. */
import { useNavigate, useSearch } from '@tanstack/react-router';

/** The tabs, in their order. */
export const TABS = [
  { value: 'accounts', label: 'Accounts' },
  { value: 'usage', label: 'Usage' },
  { value: 'plans', label: 'Plans' },
  { value: 'invitations', label: 'Invitations' },
  { value: 'lists', label: 'Lists' },
  { value: 'health', label: 'Health' },
] as const;

type Tab = (typeof TABS)[number]['value'];

interface AdminState {
  tab?: string | undefined;
  /** The id of the account in the inspector. */
  account?: string | undefined;
  /** The id of the request that is looked up. */
  request?: string | undefined;
}

/** Returns the state, and a function that changes part of it. */
export function useAdminState() {
  const search = useSearch({ from: '/frame/admin' });
  const navigate = useNavigate();
  const tab: Tab = TABS.find(({ value }) => value === search.tab)?.value ?? 'accounts';
  const change = (part: AdminState) =>
    void navigate({
      to: '/admin',
      search: (before) => ({ ...before, ...part }),
      replace: true,
      resetScroll: false,
    });
  return { ...search, tab, change };
}
