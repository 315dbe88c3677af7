package dev.agentreplay.springai.boot;

import dev.agentreplay.springai.SpringAiCalls;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopConfigException;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.SingletonBeanRegistry;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.util.ReflectionUtils;

/**
 * Wraps the models and managers of tools of an application, and adds the advisor to its chat
 * clients. A bean is wrapped by a subclass if that is possible, so that it can still be injected by
 * its class: not if the class is final, or has final methods, which would run on the fields of the
 * subclass.
 */
final class ReplayedBeans implements BeanPostProcessor, SmartInitializingSingleton, Ordered {

  /**
   * Passes calls of some methods to a wrapper. It marks beans that are wrapped by a subclass: an
   * interface of this package could not, because a subclass is in the package of its bean.
   */
  private record WrapperAdvice(Class<?> type, Object wrapper, Set<String> methods)
      implements MethodInterceptor {

    @Override
    public @Nullable Object invoke(MethodInvocation call) throws Throwable {
      Method called = call.getMethod();
      Method method = methods.contains(called.getName())
          ? ReflectionUtils.findMethod(type, called.getName(), called.getParameterTypes())
          : null;
      return method == null
          ? call.proceed()
          : AopUtils.invokeJoinpointUsingReflection(wrapper, method, call.getArguments());
    }
  }

  private static final Log LOG = LogFactory.getLog("dev.agentreplay.springai");

  private final Supplier<SpringAiCalls> calls;
  private final ChatClients clients;
  private final ListableBeanFactory beans;
  private final Set<String> excluded;

  ReplayedBeans(Supplier<SpringAiCalls> calls, ListableBeanFactory beans, Environment environment) {
    this.calls = calls;
    this.beans = beans;
    this.clients = new ChatClients(calls);
    this.excluded = Set.copyOf(Binder.get(environment)
        .bind("replay.exclude", Bindable.listOf(String.class))
        .orElse(List.of()));
  }

  /** Whether calls of an object pass through the wrapper of a bean. */
  static boolean isReplayed(Object object) {
    Object bean = object;
    while (bean instanceof Advised proxy) {
      // the proxy of a scope passes each call to a bean that is wrapped itself
      if (bean instanceof ScopedObject
          || Arrays.stream(proxy.getAdvisors())
              .anyMatch(advisor -> advisor.getAdvice() instanceof WrapperAdvice)) {
        return true;
      }
      bean = AopProxyUtils.getSingletonTarget(bean);
    }
    return bean instanceof ScopedObject;
  }

  /** Warns of beans that were created before this processor, so that it did not see them. */
  @Override
  public void afterSingletonsInstantiated() {
    Stream.of(ChatModel.class, ToolCallingManager.class, ChatClient.class)
        .flatMap(type -> Arrays.stream(beans.getBeanNamesForType(type, false, false)))
        .filter(name -> !excluded.contains(name) && beans.containsBean(name))
        .filter(this::isMissed)
        .forEach(name -> LOG.warn(("bean '%s' was created before it could be wrapped, because a"
                + " BeanPostProcessor or BeanFactoryPostProcessor needs it: calls of it are neither"
                + " recorded nor replayed. Let that processor take an ObjectProvider of it, and"
                + " declare its @Bean method static")
            .formatted(name)));
  }

  private boolean isMissed(String name) {
    Object bean =
        beans instanceof SingletonBeanRegistry registry ? registry.getSingleton(name) : null;
    while (bean != null && !isReplayed(bean) && AopUtils.isAopProxy(bean)) {
      bean = AopProxyUtils.getSingletonTarget(bean);
    }
    return bean instanceof ChatClient client
        ? !ChatClients.isInstrumented(client)
        : bean instanceof ChatModel model
            ? !isReplayed(model) && calls.get().wrap(model) != model
            : bean instanceof ToolCallingManager manager
                && !isReplayed(manager)
                && calls.get().wrap(manager) != manager;
  }

  /** After the proxies of other aspects, which are then part of what is recorded. */
  @Override
  public int getOrder() {
    return LOWEST_PRECEDENCE;
  }

  @Override
  public Object postProcessAfterInitialization(Object bean, String name) {
    if (bean instanceof ChatClient.Builder builder) {
      clients.instrument(builder);
      return bean;
    }
    if (bean instanceof ChatClient client) {
      clients.instrument(client);
      return bean;
    }
    if (isReplayed(bean)) {
      return bean;
    }
    if (excluded.contains(name)) {
      if (bean instanceof ChatModel || bean instanceof ToolCallingManager) {
        LOG.warn(("bean '%s' is excluded by replay.exclude: it is recorded and replayed only in the"
                + " calls of ChatClient beans; other calls execute it, also in a replay")
            .formatted(name));
      }
      return bean;
    }
    if (bean instanceof ChatModel model) {
      ChatModel wrapper = calls.get().wrap(model);
      return wrapper == model
          ? bean
          : as(name, bean, ChatModel.class, wrapper, Set.of("call", "stream"));
    }
    if (bean instanceof ToolCallingManager manager) {
      ToolCallingManager wrapper = calls.get().wrap(manager);
      return wrapper == manager
          ? bean
          : as(
              name,
              bean,
              ToolCallingManager.class,
              wrapper,
              Set.of("executeToolCalls", "resolveToolDefinitions"));
    }
    return bean;
  }

  /** Returns an object of the class of a bean, if that can be, that passes calls to a wrapper. */
  private static <T> Object as(
      String name, Object bean, Class<T> type, T wrapper, Set<String> methods) {
    Object proxy = proxy(bean, type, wrapper, methods);
    if (proxy != null) {
      return proxy;
    }
    Class<?> beanClass = bean.getClass();
    if (bean instanceof ChatModel
        && beanClass.getCanonicalName() != null
        && !Proxy.isProxyClass(beanClass)) {
      LOG.info(
          ("bean '%s' is wrapped as a %s, which can be injected; its class cannot, because it is"
                  + " final or has final methods: %s")
              .formatted(name, type.getSimpleName(), beanClass.getName()));
    }
    return wrapper;
  }

  /** An object of the class of a bean; null if that cannot be. */
  private static <T> @Nullable Object proxy(
      Object bean, Class<T> type, T wrapper, Set<String> names) {
    Class<?> beanClass = bean.getClass();
    if (Modifier.isFinal(beanClass.getModifiers())
        || Proxy.isProxyClass(beanClass)
        || beanClass.isHidden()
        || beanClass.isAnonymousClass()
        || hasFinalMethods(beanClass)) {
      return null;
    }
    ProxyFactory factory = new ProxyFactory();
    factory.setTarget(bean);
    factory.setProxyTargetClass(true);
    factory.addAdvice(new WrapperAdvice(type, wrapper, names));
    try {
      return factory.getProxy(beanClass.getClassLoader());
    } catch (AopConfigException cannotBeSubclassed) {
      return null;
    }
  }

  private static boolean hasFinalMethods(Class<?> beanClass) {
    return Arrays.stream(ReflectionUtils.getAllDeclaredMethods(beanClass))
        .filter(method -> method.getDeclaringClass() != Object.class)
        .mapToInt(Method::getModifiers)
        .anyMatch(modifiers -> Modifier.isFinal(modifiers)
            && !Modifier.isStatic(modifiers)
            && !Modifier.isPrivate(modifiers));
  }
}
