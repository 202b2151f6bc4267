const SEPARATORS = /[._-]+/;
/** In shorter parts, a role is often a coincidence: `a.r@` has the initials of a person. */
const MIN_JOINED_PART = 3;

/**
 * Returns true if a local part without its sub-address names a function, not a person. `roles` are in lower
 * case, with hyphens. `customer_service` and `customer.service` match `customer-service` or
 * `customerservice`, and several roles make one: `sales_support`.
 */
export function isRole(user: string, roles: ReadonlySet<string>): boolean {
  const name = user.toLowerCase();
  if (roles.has(name)) return true;
  const parts = name.split(SEPARATORS);
  if (parts.length === 1 || parts.includes('')) return false;
  if (roles.has(parts.join('-')) || parts.every((part) => roles.has(part))) return true;
  return parts.every((part) => part.length >= MIN_JOINED_PART) && roles.has(parts.join(''));
}
