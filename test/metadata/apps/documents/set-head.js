export function setHead(title, description) {
  document.title = title;
  for (const [key, name, content] of [
    ['name', 'description', description],
    ['property', 'og:title', title],
  ]) {
    const meta = document.createElement('meta');
    meta.setAttribute(key, name);
    meta.content = content;
    document.head.append(meta);
  }
}
