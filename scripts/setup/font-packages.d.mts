export const FONT_PACKAGES: { name: string; files: RegExp }[];
