import { h } from 'vue';

export default {
  props: ['name'],
  render() {
    return h('h1', this.name);
  },
};
